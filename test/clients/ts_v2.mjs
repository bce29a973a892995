// The TypeScript client of the second generation, as it comes and asked to
// negotiate: then it must speak the stateless revision.
import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { walk, planLimit, url, headers, did } from './check.mjs'

for (const [name, options, revision] of [
  ['default', {}, '2025-11-25'],
  ['auto', { versionNegotiation: { mode: 'auto' } }, '2026-07-28'],
]) {
  const connect = async (key) => {
    const client = new Client({ name: 'ts-v2', version: '1' }, options)
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: headers(key) } }))
    return client
  }
  const client = await connect(process.env.MINDGATE_API_KEY)
  const n = await walk(client)
  assert.equal(client.getNegotiatedProtocolVersion(), revision)
  await client.close()
  const free = await connect(process.env.MINDGATE_FREE_KEY)
  await planLimit(free)
  await free.close()
  console.log(`typescript client v2, ${name}: ${revision}, ${n} tools, ${did}`)
}
