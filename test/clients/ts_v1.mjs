// The TypeScript SDK of the first generation, which most hosts still carry.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { walk, planLimit, url, headers, did } from './check.mjs'

async function connect(key) {
  const client = new Client({ name: 'ts-v1', version: '1' })
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: headers(key) } })
  await client.connect(transport)
  return { client, transport }
}

const { client, transport } = await connect(process.env.MINDGATE_API_KEY)
const n = await walk(client)
const protocol = transport.protocolVersion
await client.close()
const free = await connect(process.env.MINDGATE_FREE_KEY)
await planLimit(free.client)
await free.client.close()
console.log(`typescript sdk v1: ${protocol}, ${n} tools, ${did}`)
