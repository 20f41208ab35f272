import type { FrontMatter, Login, Repeats } from './front-matter/front-matter.ts'

/** A position in a file: line and column count from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

export interface SpecLine {
  readonly line: number
  /** Absolute path of the included file; absent for the spec itself. */
  readonly file?: string
}

export interface SpecLines extends SpecLine {
  readonly endLine: number
}

/** Lines of a spec, of a file that it includes, or of one that it only names. */
export interface SpecPart {
  readonly file: string
  readonly line: number
  /** Absent for all lines to the end. */
  readonly endLine?: number
  /** `context`: nothing to carry out. `seed`: code of another test runner, which prepares the application. */
  readonly kind: 'scenario' | 'context' | 'included' | 'seed'
}

export interface Located extends Place, SpecLine {}

/** Something that is wrong with a spec: where, which rule, and what to do. Collected, never thrown. */
export interface SpecProblem extends Place {
  readonly file: string
  /** Stable kebab-case id of the rule, for example `unknown-attribute`. */
  readonly ruleId: string
  readonly message: string
}

/** `<!-- mdtest: … -->` under a heading or above a block. Only what was written is present. */
export interface Directives {
  /** The reason, or an empty string where none was given. */
  readonly skip?: string
  readonly only?: true
  readonly todo?: true
  readonly fails?: true
  readonly tags?: readonly string[]
  readonly timeoutMs?: number
  readonly retry?: number
  readonly repeats?: number
  readonly require?: number
  readonly agent?: 'none'
  readonly login?: Login
}

export interface Check extends SpecLine {
  readonly n: number
  readonly text: string
}

export interface TranscriptCommand {
  /** The command; continuation lines are joined with a newline. */
  readonly command: string
  readonly line: number
  /** Expected output lines, both streams, as written. */
  readonly expected: readonly string[]
  /** From a last line `[2]`; else 0. */
  readonly exitCode: number
}

/** An `output`, `stdout` or `stderr` fence that belongs to the script before it. */
export interface ExpectedOutput {
  readonly stream: 'output' | 'stdout' | 'stderr'
  readonly text: string
  /** Markdown line of the first line inside the fence. */
  readonly line: number
}

export interface BlockAttributes {
  readonly exit?: number
  /** Commands that fail do not end the script; its exit code is that of the last one. */
  readonly errexit?: 'off'
  readonly timeoutMs?: number
  readonly cwd?: string
  readonly env: Readonly<Record<string, string>>
  readonly skip?: true
  readonly stream?: 'stdout' | 'stderr' | 'both'
  readonly background?: true
  readonly wait?: string
  readonly file?: string
}

interface BlockBase extends Located {
  /** `run`: before the agent acts on the step; `verify`: after. A `file` block is written before the step. */
  readonly role: 'run' | 'verify' | 'file'
  readonly code: string
  /** Markdown line of the first line inside the fence (`line` is the fence itself). */
  readonly codeLine: number
  readonly attributes: BlockAttributes
  /** Markdown line of the row under `Examples` whose values it holds. One block stands here once for each row. */
  readonly row?: number
  /** It stands in a recording, and is run in the place of an agent. */
  readonly isRecorded?: true
}

export type Block =
  | (BlockBase & { readonly kind: 'console'; readonly commands: readonly TranscriptCommand[] })
  | (BlockBase & { readonly kind: 'script'; readonly expected: readonly ExpectedOutput[] })
  | (BlockBase & { readonly kind: 'module'; readonly language: 'ts' | 'js' })
  | (BlockBase & { readonly kind: 'browser'; readonly language: 'ts' | 'js' })
  | (BlockBase & { readonly kind: 'file' })

/** A leaf heading: one Vitest test. */
export interface Step extends Located {
  readonly kind: 'step'
  /** `<n>-<slug>`, n = ordinal in the scenario. */
  readonly id: string
  /** Counted from 1 in the scenario. */
  readonly ordinal: number
  /** Inline markdown stripped, white space collapsed, unique under its parent. */
  readonly title: string
  readonly endLine: number
  readonly directives: Directives
  /**
   * Who acts: the agent (there is prose, a list or a check), mdtest alone (marked blocks only, or `agent: none`),
   * or nobody (`todo`: a heading with neither prose nor blocks).
   */
  readonly actor: 'agent' | 'code' | 'todo'
  readonly checks: readonly Check[]
  readonly blocks: readonly Block[]
  /** Of a row under `Examples`, at whose line the step then is: what the agent has to know of it. */
  readonly example?: Example
  /** Where blocks of a recording are run in the place of the agent. Its `actor` is `code` then. */
  readonly replay?: StepReplay
}

/** Whether the recording has what an agent did for a step as it is now, for an earlier wording of it, or not at all. */
export type StepReplay = 'current' | 'stale' | 'missing'

export interface Example {
  /** Title of the section, its placeholders as written. */
  readonly title: string
  readonly values: Readonly<Record<string, string>>
}

/** A heading with child headings: a Vitest `describe`. */
export interface Group extends Located {
  readonly kind: 'group'
  readonly title: string
  readonly endLine: number
  readonly directives: Directives
  /** Blocks of the heading's own text; they run before its first step. */
  readonly blocks: readonly Block[]
  readonly children: readonly (Group | Step)[]
}

/** What the `Setup`/`Before` or `Teardown`/`After` sections of a scenario and of included files say. A hook, not a test. */
export interface Hook extends Located {
  readonly title: string
  readonly endLine: number
  readonly blocks: readonly Block[]
  readonly hasProse: boolean
}

/** A heading that holds scenarios: a Vitest `describe` around them. */
export interface ScenarioGroup extends Place {
  readonly title: string
  readonly endLine: number
}

/** What a document asks of the product: scenarios prove it. */
export interface Requirement extends Place {
  readonly title: string
  /** What it says in one line, where its title is a number. */
  readonly text?: string
}

/** One H1 section; a spec with at most one H1 is one scenario. */
export interface Scenario extends Place {
  readonly ordinal: number
  readonly title: string
  readonly endLine: number
  /** Headings that it stands below with other scenarios, the outermost first. Default: none. */
  readonly groups?: readonly ScenarioGroup[]
  /** The H1, where there is one with child headings: it becomes a `describe`. */
  readonly directives: Directives
  readonly hasDescribe: boolean
  /** Where its heading says so; else what holds for the spec. */
  readonly repeats?: Repeats
  /** What stands above the first headings of the spec and of included files, where no section holds it. */
  readonly preambles?: readonly SpecLines[]
  /** It shares nothing with others of its spec: they may run at once, and its agent needs its lines and `preambles` alone. */
  readonly isApart?: true
  /** The requirements that it proves, by title: a key of what the requirement and the scenario say. Default: none. */
  readonly proves?: Readonly<Record<string, string>>
  /** Its lines, where they are not those from `line` to `endLine`: steps that stand elsewhere, or the outline of a row. */
  readonly lines?: readonly SpecLines[]
  /** Blocks of the H1's own text, run before the first step. */
  readonly blocks: readonly Block[]
  readonly setup?: Hook
  readonly teardown?: Hook
  /** The headings as they nest. A scenario without child headings holds one step. */
  readonly children: readonly (Group | Step)[]
}

/** One `.test.md` file, parsed. Plain data: it crosses to the Vitest workers as JSON. */
export interface Spec {
  readonly file: string
  readonly title: string
  readonly frontMatter: FrontMatter
  /** The agent that carries out the prose after precedence was applied; `none` for none. */
  readonly agent: string
  /** Absolute paths of the files that it includes, directly or through others, in the order of their sections. */
  readonly includes: readonly string[]
  readonly scenarios: readonly Scenario[]
  /** In the order of the file; absent where its form has none. */
  readonly requirements?: readonly Requirement[]
  /** Name of the change that is to bring what it asks for: until that is archived its scenarios are expected to fail. */
  readonly change?: string
}

/** What `parseSpec` gives: the spec as far as it could be read and every problem found, in file order. */
export interface ParsedSpec {
  readonly spec: Spec
  /** Text of each included file by its absolute path, also of those with problems. */
  readonly included: ReadonlyMap<string, string>
  readonly problems: readonly SpecProblem[]
}

/** Whose browser a step acts in; empty for the user without a name. */
export function userOf(
  { directives }: Pick<Step | Scenario, 'directives'>,
  { login }: Pick<FrontMatter, 'login'>,
): string {
  return (directives.login ?? login)?.user ?? ''
}

/** All whose browsers a scenario acts in. */
export function usersOf(scenario: Scenario, frontMatter: Pick<FrontMatter, 'login'>): readonly string[] {
  return [...new Set([scenario, ...stepsOf(scenario)].map((each) => userOf(each, frontMatter)))]
}

export function stepsOf(parent: { readonly children: readonly (Group | Step)[] }): readonly Step[] {
  return parent.children.flatMap((child) => (child.kind === 'step' ? [child] : stepsOf(child)))
}

export function mapSteps(scenario: Scenario, replace: (step: Step) => Step): Scenario {
  const inGroup = (children: Group['children']): Group['children'] =>
    children.map((child) => (child.kind === 'step' ? replace(child) : { ...child, children: inGroup(child.children) }))
  return { ...scenario, children: inGroup(scenario.children) }
}

/** All blocks of a scenario, those of its hooks first. */
export function blocksOf(scenario: Scenario): readonly Block[] {
  const hooks = [scenario.setup, scenario.teardown].flatMap((hook) => hook?.blocks ?? [])
  return [...hooks, ...scenario.blocks, ...scenario.children.flatMap(blocksBelow)]
}

function blocksBelow(node: Group | Step): readonly Block[] {
  return node.kind === 'step' ? node.blocks : [...node.blocks, ...node.children.flatMap(blocksBelow)]
}

/** Titles of the `describe`s that hold the steps of a scenario, the outermost first. */
export function describesOf({ groups = [], hasDescribe, title }: Scenario): readonly string[] {
  return [...groups.map((group) => group.title), ...(hasDescribe ? [title] : [])]
}

export function lineOf({ line, file }: { readonly line: number; readonly file?: string | undefined }): SpecLine {
  return { line, ...(file !== undefined && { file }) }
}

/** The title of a step or of a scenario and its line, as it is told of. */
export function titledLineOf(at: SpecLine & { readonly title: string }): SpecLine & { readonly step: string } {
  return { step: at.title, ...lineOf(at) }
}
