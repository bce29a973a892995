// Starts a job of 75 seconds, polls it and reads its end, with the client's own
// limit of 60 seconds a request.
import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const client = new Client({ name: 'long', version: '1' })
await client.connect(new StreamableHTTPClientTransport(new URL(process.env.MINDGATE_URL), {
  requestInit: { headers: { Authorization: `Bearer ${process.env.MINDGATE_API_KEY}` } },
}))
await client.listTools()
const began = Date.now()
const started = (await client.callTool({ name: 'fixture_start', arguments: { seconds: 75, idempotencyKey: 'long' } })).structuredContent
const again = (await client.callTool({ name: 'fixture_start', arguments: { seconds: 75, idempotencyKey: 'long' } })).structuredContent
assert.equal(again.jobId, started.jobId)
let now = started
let last = 0
for (let polls = 0; now.state === 'running'; polls++) {
  assert(polls < 60, 'the job does not end')
  await new Promise((done) => setTimeout(done, 3000))
  now = (await client.callTool({ name: 'fixture_status', arguments: { jobId: started.jobId } })).structuredContent
  assert(now.percent >= last, `${now.percent} after ${last}`)
  last = now.percent
}
assert.equal(now.state, 'completed')
assert.equal(now.runs, 1)
const took = (Date.now() - began) / 1000
assert(took > 70 && took < 100, `took ${took} s`)
await client.close()
console.log(`a job of 75 s completed after ${took.toFixed(0)} s, one run`)
