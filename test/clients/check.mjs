// What every TypeScript client does, whatever its version.
import { readFileSync } from 'node:fs'
import assert from 'node:assert/strict'

export const want = JSON.parse(readFileSync(process.env.WANT, 'utf8'))
export const url = new URL(process.env.MINDGATE_URL)
export const headers = (key) => ({ Authorization: `Bearer ${key}` })

export async function walk(client) {
  const names = (await client.listTools()).tools.map((t) => t.name)
  assert.deepEqual(names, want.listed)
  let r = await client.callTool({ name: 'list_studies', arguments: { limit: 5 } })
  assert.equal(r.structuredContent.limit, 5)
  assert.deepEqual(JSON.parse(r.content[0].text), r.structuredContent)
  assert(!names.includes(want.hidden))
  r = await client.callTool({ name: want.hidden, arguments: {} })
  assert(!r.isError, JSON.stringify(r))
  r = await client.callTool({ name: want.alias, arguments: {} })
  assert(r.structuredContent.studies, JSON.stringify(r))
  r = await client.callTool({ name: 'list_studies', arguments: { limit: -1 } })
  assert(r.isError && r.content[0].text.includes('limit'), JSON.stringify(r))
  const p = await client.getPrompt({ name: 'test_simple_prompt' })
  assert(p.messages[0].content.text)
  const d = await client.readResource({ uri: 'test://static-text' })
  assert(d.contents[0].text)
  await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), /no_such_tool/)
  return names.length
}

// planLimit makes Minds with a free account until one is refused. The list
// comes first: from then on the client checks answers against the output
// schemas, and the refusal must still come through readable.
export async function planLimit(client) {
  await client.listTools()
  for (let i = 0; i < 4; i++) {
    const r = await client.callTool({ name: 'create_mind', arguments: { name: `Cleo ${i}`, mode: 'manual' } })
    if (!r.isError) continue
    assert(r.content[0].text.includes('PLAN_LIMIT'), JSON.stringify(r))
    assert.equal(r.structuredContent.error.data.limitType, 'minds')
    assert.equal(r.structuredContent.error.code, 'PLAN_LIMIT')
  }
  // A listed tool too: its output schema is known to the client.
  const r = await client.callTool({ name: 'get_study_status', arguments: { studyId: '00000000-0000-4000-8000-000000000000' } })
  assert(r.isError && r.structuredContent.error.code === 'NOT_FOUND', JSON.stringify(r))
}

export const did = 'call, hidden, alias, refusal, prompt, resource, plan limit'
