import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { planReplay } from '../../../src/plan/recordings/replay.ts'
import type { CommandCall } from '../../../src/records/agent-call.ts'
import { derivePieces } from '../../../src/recordings/derive/derive-pieces.ts'
import { writeCandidate } from '../../../src/recordings/gates/candidate.ts'
import { rehearse } from '../../../src/recordings/gates/rehearse.ts'
import { ScenarioRun } from '../../../src/scenario/scenario-run.ts'
import { keysOf } from '../../../src/spec/recording/step-keys.ts'
import { useScenario } from '../../scenario/use-scenario.ts'

const openScenario = useScenario()

const spec = '---\ncwd: copy\n---\n\n# Odd\n\n## Step\n\nDo it.\n'

const odd = [
  'cd sub && cat a.txt # run it',
  'pwd | grep -c sub',
  "cd sub && cat a.txt | grep -v '#' # it's",
  'id=$(cat sub/a.txt | head -n 1); echo "$id"',
  'echo "id=${id:-none}"',
  'A=1;echo $A',
  'A=1 B=2; echo $A$B',
  'echo "${A:-no}${B:-no}"',
  'PATH=/nowhere; echo done',
  'cat sub/a.txt',
  'cd sub; find . -name "*.txt" -exec cat {} \\;',
  'find sub -type f -exec cat {} \\; ',
  'echo a \\',
  'cd sub && echo b \\',
  'echo c\\\\',
  'echo d # e\\',
  'cd sub\n\nls',
  '\nls sub\n',
  '# What is there?\nls sub',
  'echo a\\\n  b',
  'cat <<EOF\n$((1 + 2)) `echo x`\n\n> y\n$ z\n[3]\nEOF',
  "cat > x.sh <<'EOF'\ncd sub # it's\ncat a.txt\nEOF\nbash x.sh",
  'cat <<-EOF\n\tin\n\tEOF',
  'cd sub && cat <<\'A\' <<"B C" - a.txt\none\nA\ntwo\nB C',
  'cat <<< "here"; cd sub; cat <<<word',
  '(cd sub && cat a.txt)',
  '( (cd sub && cat a.txt); pwd | grep -c sub )',
  '(( 1 < 2 )) && echo yes',
  'for ((i=0; i<2; i++)); do echo $i; done',
  'echo "i=${i:-none}"',
  'echo $((1<<2)); echo "#"; echo \'#\' ${#HOME} >/dev/null',
  'case a in a) cd sub;; esac; ls',
  'if cd sub; then cat a.txt; else echo no; fi',
  '! cd nowhere 2>/dev/null && echo stayed',
  'f() { echo "$1"; cd sub; }; f x; ls',
  'function g { echo g; }\ng',
  'set -e; false; echo never',
  'set -euo pipefail\ncat sub/a.txt | head -n 1\necho "$-" | grep -c u',
  'echo $- | grep -c e',
  'false; echo $?',
  'ls nowhere 2>/dev/null',
  'exit 3',
  'cd sub && exit 4',
  'export X=1; echo $X',
  'echo "${X:-unset}"',
  'shopt -s nullglob; echo *.none',
  'echo *.none',
  'umask 077; umask',
  'umask | grep -c 077',
  'trap "echo bye" EXIT; echo hi',
  'exec 2>&1; echo err >&2',
  'cd sub && echo async & wait; echo over',
  'sleep 0 & echo begun; wait',
  'echo one; echo two &\nwait',
  'echo "a `echo "b c"` d" $(echo \')\' | cat)',
  "printf '%s\\n' $'a\\tb' \"it's\" 'say \"x\"'",
  'a=(1 "2 3"); echo "${a[1]}"',
  'echo "${a[1]:-none}"',
  'read x < sub/a.txt; echo "$x"',
  'printf "no end"',
  'printf "a\\n\\nb\\n"',
  'cat missing.txt 2>&1 || true',
  'echo "> quoted"; echo "\\$ dollar"; echo "[7]"',
  'diff <(echo 1) <(echo 2)',
  'echo {a,b}{1,2}',
  'eval "cd sub"; ls',
  'pushd sub >/dev/null; ls; popd >/dev/null',
  'alias k=ls; echo set',
  'type -t k',
  '{ cd sub; ls; } | cat',
  'pwd | grep -c sub',
  'echo "multi\nline" \'and\n# no comment\'',
  'set -- a b; echo $#',
  'echo $#',
  '{ set -x; echo traced; } 2>/dev/null',
  'echo untraced',
  'true && echo "é ü 日本" # ünï',
]

it('repeats odd commands in one shell as an agent ran each in one of its own', async () => {
  const { input, root } = openScenario(spec)
  const keys = keysOf(input.spec, input.scenario, () => spec)
  const [id = ''] = keys.keys()
  const directory = mkdtempSync(join(root, '..', 'agent-'))
  for (const folder of [root, directory]) {
    mkdirSync(join(folder, 'sub'))
    writeFileSync(join(folder, 'sub', 'a.txt'), 'one # two\n')
  }
  const calls: CommandCall[] = []
  for (const command of odd) {
    const { all, exitCode = 1 } = await execa('bash', ['-c', command], {
      cwd: directory,
      env: { LC_ALL: 'C.UTF-8' },
      reject: false,
      all: true,
      stdin: 'ignore',
      stripFinalNewline: false,
    })
    calls.push({ kind: 'command', step: id, command, cwd: directory, exitCode, output: all, isLook: false })
  }
  // What failed is kept where it was quoted only.
  const kept = calls.map((call) => ({ ...call, exitCode: 0 }))
  const { steps } = derivePieces({
    steps: [{ step: id, quotes: [] }],
    calls: kept,
    directory,
    roots: [root],
    known: '',
  })
  const pieces = steps.flatMap((step) =>
    step.pieces.map((piece, index) => ({ ...piece, exitCode: calls[index]?.exitCode ?? 0 })),
  )
  const written = writeCandidate([{ step: id, title: 'Step', key: keys.get(id) ?? '', pieces }], new Map())
  const { scenarios } = planReplay(input.spec, { mode: 'only', recording: written.recording, keysOf: () => keys })
  const scenario = scenarios[1] ?? input.scenario
  const rehearsal = await rehearse({
    scenario,
    startRun: (more) => new ScenarioRun({ ...input, ...more }),
    signal: new AbortController().signal,
  })
  const lines = [...written.commands.keys()]
  const differing = calls.flatMap(({ command, exitCode, output }, index) => {
    const { texts, exitCode: again } = rehearsal.commands.get(lines[index] ?? 0) ?? {}
    const printed = output === '' ? [] : output.replace(/\n$/, '').split('\n')
    const [agent, replay] = [
      { exitCode, printed },
      { exitCode: again, printed: texts },
    ]
    return isDeepStrictEqual(agent, replay) ? [] : [{ command, agent, replay }]
  })
  expect(differing).toEqual([])
  expect(rehearsal.problem).toBeUndefined()
})
