import { describe, expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'

const fence = '```'
const specOf = (head: string, rows = ['1', '2', '3', '4']): string => `---
agent: none
${head}---

# T

## Double <n>

${fence}sh
seen="\${seen-}<n>"; echo "$seen" >trace
test <n> -ne 2 && test <n> -ne 4
${fence}

### Examples

| n |
| - |
${rows.map((row) => `| ${row} |`).join('\n')}

## Other <m>

${fence}sh
echo <m> >>trace
${fence}

### Examples

| m |
| - |
| x |
| y |

## Behind

${fence}sh
echo behind >>trace
${fence}
`

/** Statuses of the tests, and what ran. */
async function run(
  spec: string,
  { config = plainConfig, args = [] }: { config?: string; args?: readonly string[] } = {},
): Promise<{ readonly outcomes: readonly (string | undefined)[]; readonly trace: string }> {
  await using project = await createProject({ 'vitest.config.js': config, 'a.test.md': spec })
  const { stdout, all } = await project.vitest(['run', '--reporter=json', ...args])
  const outcomes = readJsonReport(stdout)['a.test.md']?.map(({ outcome }) => outcome) ?? [all]
  return { outcomes, trace: await project.read('trace').catch(() => '') }
}

describe('rows of a table', () => {
  test('all run without an agent, in one shell, and nothing behind a table of which one failed', async () => {
    expect(await run(specOf(''))).toEqual({
      outcomes: ['pass', 'fail', 'pass', 'fail', 'skipped', 'skipped', 'skipped'],
      trace: '1234\n',
    })
    expect(await run(specOf('', ['1', '3']))).toEqual({
      outcomes: ['pass', 'pass', 'pass', 'pass', 'pass'],
      trace: '13\nx\ny\nbehind\n',
    })
  })

  test('stop at the first that fails where front matter or the option says so, and when the shell is gone', async () => {
    const stopped = { outcomes: ['pass', 'fail', 'skipped', 'skipped', 'skipped', 'skipped', 'skipped'], trace: '12\n' }
    expect(await run(specOf('rows: stop\n'))).toEqual(stopped)
    const config = plainConfig.replace('mdtest()', "mdtest({ rows: 'stop' })")
    expect(await run(specOf(''), { config })).toEqual(stopped)
    expect((await run(specOf('rows: all\n'), { config })).trace).toBe('1234\n')
    const slow = specOf('').replace('```sh\nseen', '```sh timeout=1s\ntest <n> -ne 2 || sleep 20\nseen')
    expect((await run(slow)).outcomes.slice(0, 4)).toEqual(['pass', 'fail', 'skipped', 'skipped'])
  })

  test('all count for each step of a scenario that is repeated, and for one row that is asked for', async () => {
    const { outcomes } = await run(specOf('repeats: 2\nrequire: 1\n'))
    expect(outcomes).toEqual(['pass', 'fail', 'pass', 'fail', 'skipped', 'skipped', 'skipped'])
    const one = await run(specOf(''), { args: ['-t', 'Double 3'] })
    expect(one.outcomes[2]).toBe('pass')
    const behind = await run(specOf(''), { args: ['-t', 'Behind'] })
    expect(behind.outcomes.at(-1)).toBe('fail')
  })

  test('are listed as they will run, and another value is an error with a hint', async () => {
    await using project = await createProject({
      'vitest.config.js': plainConfig,
      'a.test.md': specOf(''),
      'b.test.md': specOf('rows: stop\n'),
      'c.test.md': specOf('')
        .replaceAll('### Examples', '### Notes')
        .replaceAll(/<[nm]>/g, '1'),
    })
    const { stdout } = await project.mdtest(['list', '--json'])
    const specs: unknown = JSON.parse(stdout)
    expect(JSON.stringify(specs).match(/"rows":"\w+"/g)).toEqual(['"rows":"all"', '"rows":"stop"'])
    await project.write('a.test.md', specOf('rwos: all\n'))
    expect((await project.mdtest(['run', 'a.test.md'])).all).toContain('Did you mean `rows`?')
    await project.write('a.test.md', specOf('rows: none\n'))
    expect((await project.mdtest(['run', 'a.test.md'])).all).toContain('`all` or `stop`')
  })
})
