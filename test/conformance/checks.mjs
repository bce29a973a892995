// Counts the checks of a run of the suite: `checks.mjs FOLDER [LEAST]`. Prints
// what did not pass and fails when fewer than LEAST checks passed.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder, least = '0'] = process.argv.slice(2)
const count = {}
for (const run of readdirSync(folder).sort()) {
  const scenario = run.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*/, '')
  for (const c of JSON.parse(readFileSync(join(folder, run, 'checks.json'), 'utf8'))) {
    count[c.status] = (count[c.status] ?? 0) + 1
    if (c.status === 'FAILURE' && !scenario.startsWith('tasks-')) {
      console.log(`  ${scenario}: ${c.id}: ${c.errorMessage ?? ''}`.slice(0, 300))
    }
  }
}
const { SUCCESS = 0, FAILURE = 0, ...other } = count
const rest = Object.entries(other).map(([k, n]) => `${n} ${k.toLowerCase()}`).join(', ')
console.log(`${folder.split('/').pop()}: ${SUCCESS} checks passed (at least ${least}), ${FAILURE} failed as the baseline says${rest ? ', ' + rest : ''}`)
if (SUCCESS < Number(least)) process.exit(1)
