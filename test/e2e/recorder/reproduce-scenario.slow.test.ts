import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listen } from '../../support/listen.ts'
import { add, answers, hiding, inShort, list, useRepeat, wanted, write, type Scene } from './repeat-scenario.ts'

const repeat = useRepeat()

describe.concurrent('an agent that leaves behind what its commands print elsewhere', () => {
  test.each<[string, Scene]>([
    [
      'in a folder of HOME that was there',
      {
        steps: [[add, hiding('cat "$HOME/.cache/app/answers"')]],
        before: ({ home }) => write(join(home, '.cache/app/old'), ''),
        leaves: ({ home }) => write(join(home, '.cache/app/answers'), answers),
      },
    ],
    ['in .bashrc', { leaves: ({ home }) => write(join(home, '.bashrc'), `sh() { echo "1 [ ] milk"; }\n`) }],
    ['in a file that BASH_ENV names', { env: { BASH_ENV: '/tmp/none' } }],
    [
      'in the log folder',
      {
        steps: [[add, hiding('cat a.logs/x.log.md')]],
        leaves: ({ root }) => write(join(root, 'a.logs/x.log.md'), answers),
      },
    ],
    [
      'in git',
      {
        steps: [[add, hiding('git show HEAD:answers')]],
        leaves({ root }) {
          write(join(root, 'answers'), answers)
          const git = (...args: readonly string[]): unknown =>
            execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
              cwd: root,
              stdio: 'ignore',
            })
          git('init')
          git('add', '--all')
          git('commit', '-m', 'a')
          git('rm', '-q', 'answers')
        },
      },
    ],
    [
      'in a folder for temporary files',
      { steps: [[add, hiding('cat "$TMPDIR/answers"')]], leaves: () => write(join(tmpdir(), 'answers'), answers) },
    ],
    [
      'as a counter that runs out',
      {
        steps: [
          [
            add,
            {
              command:
                'n=$(cat ~/.n 2>/dev/null || echo 0); echo $((n + 1)) > ~/.n; [ "$n" -lt 2 ] && echo "1 [ ] milk"',
              ...wanted,
            },
          ],
        ],
      },
    ],
  ])('%s: its step does not hold', async (_, scene) => {
    const found = inShort(await repeat({ steps: [[add, list]], ...scene }))
    expect(found).toEqual([expect.stringMatching(/Without the agent|did not come again|^VACUOUS/)])
  })

  test('as a server that nobody ended: its step would hold without the product', async () => {
    await using server = await listen(createServer((_request, response) => response.end(answers)))
    const steps = [[{ command: `curl -s ${server.url}/`, ...wanted }]]
    expect(inShort(await repeat({ steps }))).toEqual([expect.stringMatching(/^VACUOUS/)])
  })
})
