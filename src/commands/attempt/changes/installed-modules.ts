import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runProgram } from '../../../system/process/run-program.ts'

const programs = ['python3', 'python', 'pytest', 'tox', 'nox', 'mypy', 'ruff', 'uv']
const question =
  'import importlib.util as u, sys\nfor n in sys.argv[1:]:\n  try:\n    print(n if n in sys.builtin_module_names or u.find_spec(n) else "")\n  except Exception:\n    print("")'
const maxAnswerMs = 10_000
/** What runners of tests load themselves: their interpreter may not be found here. */
const ofRunners = new Set(
  `pytest _pytest iniconfig pluggy packaging exceptiongroup tomli pygments py attr attrs coverage xdist anyio mock hypothesis
   unittest doctest tox nox mypy mypy_extensions typing_extensions pathspec ruff flake8 pycodestyle pyflakes pylint
   sitecustomize usercustomize`.split(/\s+/),
)

/**
 * Of these names, those of modules that Python has installed: in the interpreter on PATH, and in those that runners on PATH are
 * installed with, which need not be the same.
 */
export async function installedModules(
  names: readonly string[],
  { root, env }: { readonly root: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set()
  const own = ['.venv/bin', 'venv/bin'].map((folder) => join(root, folder))
  const interpreters = interpretersIn([...own, ...(env['PATH'] ?? '').split(delimiter).filter(Boolean)])
  const answers = await Promise.all(interpreters.map((python) => ask(python, { names, env })))
  return new Set([...answers.flat(), ...names.filter((name) => ofRunners.has(name))])
}

/** In isolation: nothing of the project is imported, or counts. */
async function ask(
  python: string,
  { names, env }: { readonly names: readonly string[]; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<readonly string[]> {
  const argv = [python, '-I', '-c', question, ...names] as const
  const { stdout, failure } = await runProgram(argv, { cwd: '/', env, timeoutMs: maxAnswerMs })
  // There is none, or it is too old to know the question.
  return failure === undefined ? stdout.toString().split('\n').filter(Boolean) : []
}

function interpretersIn(folders: readonly string[]): readonly string[] {
  const found = new Set<string>()
  for (const folder of folders) {
    for (const program of programs) {
      const file = join(folder, program)
      if (!existsSync(file)) continue
      if (program.startsWith('python')) found.add(file)
      const [, python] = /^#!\s*(\S*python[\w.]*)/.exec(beginningOf(file)) ?? []
      if (python !== undefined) found.add(python)
    }
  }
  return [...found]
}

function beginningOf(file: string): string {
  try {
    return readFileSync(file, 'latin1').slice(0, 256)
  } catch {
    return '' // A folder of this name, or not ours to read.
  }
}
