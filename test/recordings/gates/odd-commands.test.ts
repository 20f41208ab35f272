import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { planReplay } from '../../../src/plan/recordings/replay.ts'
import type { CommandCall } from '../../../src/records/agent-call.ts'
import { derivePieces } from '../../../src/recordings/derive/derive-pieces.ts'
import { noBrowser } from '../derive/no-browser.ts'
import { writeCandidate } from '../../../src/recordings/gates/write-candidate.ts'
import { rehearse } from '../../../src/recordings/gates/rehearse.ts'
import { ScenarioRun } from '../../../src/scenario/scenario-run.ts'
import { keysOf } from '../../../src/spec/recording/step-keys.ts'
import { useScenario } from '../../scenario/use-scenario.ts'
import { AgentShell } from '../../../src/scenario/workspace/agent-shell.ts'
import { openShell } from '../../../src/system/shell/open-shell.ts'

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

/** Commands that hold paths of the machine, where the project and the agent's directory are. */
const withPaths = (dir: string, root: string): readonly string[] => {
  const bare = dir.replaceAll(' ', String.raw`\ `)
  return [
    `cat ${bare}/sub/a.txt "${dir}/sub/a.txt" '${dir}/sub'/a.txt`,
    `cd "${dir}/sub" && cat a.txt`,
    `cd ${bare} && cat sub/a.txt`,
    `cd ${bare}/sub; cat "${dir}/sub/a.txt" ../sub/a.txt # ${dir}`,
    `cd sub && cat ${bare}/sub/a.txt '${dir}/sub/a.txt'`,
    `cd sub\ncat <<EOF\n$(cat "${dir}/sub/a.txt")\nEOF`,
    `pushd "${dir}"/sub >/dev/null && ls "${dir}/sub"`,
    `x="${dir}/sub"; cat "$x/a.txt"`,
    `echo "$(cat '${dir}/sub/a.txt' "${dir}"/sub/a.txt)" \`cat ${bare}/sub/a.txt\``,
    `echo 'a; cd b'; cat "${dir}/sub/a.txt"`,
    `cd sub && bash -c "cat '${root}/only.txt'; ls \\"${dir}/sub\\""`,
    `bash -c 'cat "${dir}/sub/a.txt"'`,
    `find ${bare} -name a.txt -exec cat {} \\;`,
    `env X=${bare}/sub bash -c 'cat "$X/a.txt"'`,
    `cat <${bare}/sub/a.txt >${bare}/b.txt; cat b.txt`,
    `ls ${bare}/su*`,
    `cat ${root}/only.txt "${root}/only.txt" '${root}/only.txt' "x${root}" 2>/dev/null || echo partly`,
    `PATH=/usr/bin:/bin:${bare}; ls sub`,
    `[ -d ${bare}/sub ] && [[ -f "${dir}/sub/a.txt" ]] && echo both`,
    `for f in ${bare}/sub/*.txt; do cat "$f"; done`,
    `(cd ${bare}/sub && cat a.txt); cat ${bare}/sub/a.txt`,
    `ls ${bare}/sub ${bare}-old 2>/dev/null | wc -l`,
    `sed -n '/one/p' ${bare}/sub/a.txt`,
    `mkdir -p ${bare}/deep/er && cd deep/er && cat ${bare}/sub/a.txt`,
    `tail -n 1 ${bare}/sub/a.txt | tee ${bare}/deep/x`,
  ]
}

/** What comes out otherwise when commands of an agent are repeated in one shell, without the agent and its directory. */
async function differing(cwd: 'copy' | 'temp', commandsIn: typeof withPaths): Promise<readonly unknown[]> {
  const { input, root, launcher } = openScenario(spec.replace('copy', cwd))
  const keys = keysOf(input.spec, input.scenario, () => spec)
  const [id = ''] = keys.keys()
  const directory = mkdtempSync(join(root, '..', 'agent of-'))
  for (const folder of cwd === 'copy' ? [root, directory] : [root]) writeFileSync(join(folder, 'only.txt'), 'only\n')
  const given = ["mkdir -p sub; echo 'one # two' >sub/a.txt", ...commandsIn(directory, root)]
  const [tempDir, scratchDir] = ['shell-', 'scratch-'].map((name) => mkdtempSync(join(root, '..', name)))
  const env = { PATH: process.env.PATH ?? '', HOME: root, LC_ALL: 'C.UTF-8' }
  const shell = openShell({ launcher, cwd: directory, tempDir: tempDir ?? '', env })
  const executor = new AgentShell({ fork: () => shell.fork(), directory: async () => directory })
  const calls: CommandCall[] = []
  let at = directory
  for (const command of given) {
    const done = await executor.runForAgent({ code: command, timeoutMs: 10_000, scratchDir: scratchDir ?? '' })
    const { output, exitCode = -1 } = done
    calls.push({ kind: 'command', step: id, command, cwd: at, exitCode, output, isLook: false })
    at = done.directory
  }
  await executor.endForAgent()
  await shell.close()
  rmSync(directory, { recursive: true })
  const { steps } = derivePieces({
    steps: [{ step: id, quotes: [] }],
    calls,
    directory,
    roots: cwd === 'copy' ? [directory, root] : [root],
    known: '',
    browser: noBrowser,
  })
  const pieces = steps.flatMap((step) => step.pieces)
  const written = writeCandidate([{ step: id, title: 'Step', key: keys.get(id) ?? '', pieces }], new Map())
  const { scenarios } = planReplay(input.spec, { mode: 'only', recording: written.recording, keysOf: () => keys })
  const { commands } = await rehearse(
    {
      scenario: scenarios[1] ?? input.scenario,
      startRun: (more) => new ScenarioRun({ ...input, ...more }),
      makeTempDir: input.host.makeTempDir,
      env: input.env,
      signal: new AbortController().signal,
    },
    { afterFailure: 'continue' },
  )
  return [...written.commands].flatMap(([line, piece], index) => {
    const { command, exitCode, output = '' } = calls[index] ?? {}
    const { texts, exitCode: again } = commands.get(line) ?? {}
    const printed = output === '' ? [] : output.replace(/\n$/, '').split('\n')
    const isSame = isDeepStrictEqual([exitCode, printed], [again, texts])
    return isSame ? [] : [{ command, recorded: piece.command, exitCode, printed, again, texts }]
  })
}

it('repeats odd commands in a shell that lasts as that of the agent did', async () => {
  expect(await differing('copy', () => odd)).toEqual([])
})

it.each(['copy', 'temp'] as const)('repeats commands with paths of the machine elsewhere: cwd: %s', async (cwd) => {
  expect(await differing(cwd, withPaths)).toEqual([])
})
