import type { Example, SpecPart } from '../spec/spec.ts'

/** `example`: the table row whose values fill in the section. */
export interface NamedStep {
  readonly id: string
  readonly title: string
  readonly example?: Example | undefined
  /** The user whose browser the step uses, if the scenario has several users. */
  readonly user?: string | undefined
}

export interface AskedOfAgent extends NamedStep {
  readonly checks: number
  /** Texts of the checks in order, if the spec does not mark them with `- [ ]`. */
  readonly checkTexts?: readonly string[] | undefined
}

export interface AskedScenario {
  readonly specFile: string
  readonly includedFiles: readonly string[]
  /** Title of the section to carry out, if the spec has several scenarios. */
  readonly scenarioTitle?: string
  /** Parts of files that the agent needs, context first; absent if the agent needs the whole files. */
  readonly parts?: readonly SpecPart[] | undefined
  readonly steps: readonly AskedOfAgent[]
  /** Steps that the agent leaves out: a filter excludes them, or they consist only of blocks. */
  readonly otherSteps: readonly NamedStep[]
  readonly hasSetupProse: boolean
  readonly hasTeardownProse: boolean
}

export interface PromptParts extends AskedScenario {
  readonly logFile: string
  readonly runId: string
  readonly reports?: { readonly evidenceDir: string }
  readonly executor?: { readonly scratchDir: string }
  readonly isCopy?: boolean
  readonly baseUrl?: string | undefined
}

/** The prompt for one scenario. Each word costs money in every run. */
export function buildPrompt(asked: PromptParts): string {
  const { specFile, includedFiles, logFile, runId, baseUrl, scenarioTitle, parts = [] } = asked
  const own = parts.filter(({ kind }) => kind === 'scenario')
  const lines = own.map(({ line, endLine = line }) => (line === endLine ? `${line}` : `${line}-${endLine}`))
  // A single range is the section that the title names, so it needs no line numbers.
  const linesNote = lines.length < 2 ? '' : ` (lines ${lines.join(', ')})`
  const { isCopy, executor, reports } = asked
  return [
    `Read the test specification below and execute it step by step. You are its tester: find out by trying whether the product does what each step says, and report only what you saw.

Specification: ${specFile}${includedFiles.map((file) => `\nIncluded: ${file}`).join('')}
Result log: ${logFile}
Run id: ${runId}${baseUrl === undefined ? '' : `\nBase URL of the web application: ${baseUrl}`}`,
    ...(scenarioTitle === undefined ? [] : [`Execute only its section "${scenarioTitle}"${linesNote}.`]),
    stepList(asked),
    `${rules}${isCopy === true ? copyRule : ''}${executor === undefined ? '' : executorRule(executor)}`,
    ...(reports === undefined ? [] : [reporting(reports, executor !== undefined)]),
    logContract(asked),
  ].join('\n\n')
}

export function stepList({ steps, otherSteps, includedFiles, hasSetupProse, hasTeardownProse }: PromptParts): string {
  const isWhole = includedFiles.length === 0
  const sections = (name: string): string => (isWhole ? `the ${name} section` : `all ${name} sections`)
  return [
    ...(isWhole ? [] : [includedRule]),
    ...(hasSetupProse ? [`Before the steps, carry out the prose of ${sections('setup')}.`] : []),
    'Steps, in this order:',
    ...steps.map((step) => `${describeStep(step)}${checksOf(step)}`),
    ...(hasTeardownProse
      ? [`After the steps, whatever came of them, carry out the prose of ${sections('teardown')}.`]
      : []),
    ...(otherSteps.length > 0 ? ['Leave out and do not report:', ...otherSteps.map(describeStep)] : []),
    ...(steps.some(({ example }) => example !== undefined) ? [valuesRule] : []),
    ...(steps.some(({ user }) => user !== undefined) ? [usersRule] : []),
  ].join('\n')
}

function describeStep({ id, title, example, user }: NamedStep): string {
  const as = user === undefined ? '' : `, as ${nameOfUser(user)}`
  if (example === undefined) return `- ${id}: ${title}${as}`
  const values = Object.entries(example.values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  return `- ${id}: ${example.title}, with ${values.join(', ')}${as}`
}

function nameOfUser(user: string): string {
  if (user === 'none') return 'a visitor who is not signed in'
  return user === '' ? 'the user without a name' : `the user \`${user}\``
}

function checksOf({ checks, checkTexts = [] }: AskedOfAgent): string {
  const count = checks === 0 ? '' : ` (${checks} ${checks === 1 ? 'check' : 'checks'})`
  return count + checkTexts.map((text, index) => `\n  - check ${index + 1}: ${text}`).join('')
}

const includedRule =
  'The included files are part of the specification: read them, too. In the order above, their steps and setup sections come first, their teardown sections last.'

const valuesRule =
  'A step "with" values is its section once, with the values in place of `{{name}}` and `<name>`; its table `Examples` is the list of these steps.'

const usersRule =
  'Each user has a browser of their own, signed in already, and keeps it to the end. Once a step is reported, the browser tools act as the user of the next one: look at their page anew, and do not sign in or out unless a step asks for it.'

const rules = `Rules:
- mdtest itself executes the code blocks marked \`run\` or \`verify\` and writes those with \`file=\`: leave them alone.
- Do not change the product, the specification or any test. What does not work is a finding, not yours to repair.
- What you cannot try (a refused command, a missing tool, no access) is \`blocked\`, with the reason in \`observed\`. Never guess a pass.
- Nobody can answer questions.`

const copyRule =
  '\n- Work in your current directory, a copy of the project made for this test: run and write nothing elsewhere.'

function executorRule({ scratchDir }: NonNullable<PromptParts['executor']>): string {
  return `\n- Act through the tools of the MCP server \`mdtest\` alone (search for them if you do not see them): \`run\` executes a command, \`write\` writes a file. Nothing else counts, and you have no shell or editor of your own. Files of your own go to ${scratchDir}.`
}

function reporting({ evidenceDir }: NonNullable<PromptParts['reports']>, isExecutor: boolean): string {
  const file = isExecutor ? ', or name a screenshot' : `, or name a file that you saved in ${evidenceDir}`
  return `Report each step with the tool \`report_step\` of the MCP server \`mdtest\` (search for the tool if you do not see it) right after you tried it, one at a time, in the order above, and do what the answer says. As \`evidence\` of each check, and of a step without checks, quote to the letter a whole line that the product printed for it, run by itself${file}. mdtest then writes the result log: do not write it.`
}

function logContract({ runId, steps, logFile, reports }: PromptParts): string {
  const example = steps
    .slice(0, 2)
    .flatMap(({ id, checks }, index) => [
      `  - id: ${id}`,
      `    status: ${index === 0 ? 'pass' : 'fail'}`,
      `    observed: "${index === 0 ? 'what you saw' : 'what you saw instead'}"`,
      ...(checks > 0
        ? ['    checks:', `      - { n: 1, status: ${index === 0 ? 'pass' : 'fail'}, observed: "…" }`]
        : []),
    ])
  const when = reports === undefined ? 'As your last act' : 'Only if you have no tool `report_step`, as your last act'
  return `${when} write the result log to ${logFile}. It begins, at its first byte, with YAML front matter like

---
status: ${steps.length > 1 ? 'fail' : 'pass'}
run: "${runId}"
steps:
${example.join('\n')}
---

\`status\` of the file is \`pass\` if every step passed, else \`fail\`. Report every step listed above once, with \`pass\`, \`fail\`, \`blocked\` or \`skipped\`, and each of its checks (\`- [ ]\` items) by its number \`n\`. Quote strings. Below the front matter tell in a few lines what you did. The least that is accepted, should you be unable to give more, is this with \`pass\` or \`fail\`:

---
status: pass
---`
}
