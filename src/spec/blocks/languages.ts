/** What mdtest executes itself: scripts, transcripts, modules, browser steps and calls of tools. Dialects have languages of their own. */
type ExecutedLanguage = 'sh' | 'console' | 'ts' | 'js' | 'browser' | 'mcp'

/**
 * The names by which a fence may ask for each, after GitHub's and those of other highlighters. `zsh` is not among them:
 * GitHub takes it for a shell script as well, but here it would be run by bash, which reads some of it differently.
 */
const namesOfLanguages: Readonly<Record<ExecutedLanguage, readonly string[]>> = {
  sh: ['sh', 'bash', 'shell', 'shell-script', 'shellscript'],
  console: ['console', 'shell-session', 'shellsession', 'sh-session', 'bash-session', 'terminal-session'],
  ts: ['ts', 'typescript', 'mts'],
  js: ['js', 'javascript', 'mjs', 'node'],
  browser: ['browser'],
  mcp: ['mcp'],
}

const canonical: ReadonlyMap<string, string> = new Map(
  Object.entries(namesOfLanguages).flatMap(([language, names]) => names.map((name) => [name, language])),
)

const outputs: readonly string[] = ['output', 'stdout', 'stderr']

/** Names of fences that hold no code. */
const texts: readonly string[] = ['text', 'txt', 'plain', 'plaintext']

/** The one name under which the rest of the code knows a language, in whatever way the fence writes it. */
export function normalizeLanguage(name: string): string {
  const lower = name.toLowerCase()
  return canonical.get(lower) ?? lower
}

/** What a dialect adds. */
interface Named {
  readonly name: string
}

/** Whether mdtest executes it; `language` is normalized. */
export function isExecuted(language: string, more: readonly Named[]): boolean {
  return Object.hasOwn(namesOfLanguages, language) || more.some(({ name }) => name === language)
}

/** Whether a fence of this language holds what a script has to print. */
export function isOutput(language: string): boolean {
  return outputs.includes(language)
}

/** Whether a fence of this language is text for readers. */
export function isText(language: string): boolean {
  return texts.includes(language)
}

/** Whether some text shows commands after a `$ `, as a terminal does. */
export function looksLikeTranscript(text: string): boolean {
  return /^[ \t]*\$[ \t]+\S/m.test(text)
}

/** The languages that can be executed, for messages. */
export function listExecuted(more: readonly Named[]): string {
  return [...Object.keys(namesOfLanguages), ...more.map(({ name }) => name)].map((name) => `\`${name}\``).join(', ')
}
