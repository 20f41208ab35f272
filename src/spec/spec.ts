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

/** Lines of a spec, of an included file, or of a file that is only shown to the agent (`seed`). */
export interface SpecPart {
  readonly file: string
  readonly line: number
  /** Last line; absent for all lines to the end. */
  readonly endLine?: number
  /** `context`: only for reading. `seed`: code of another test runner, which prepares the application. */
  readonly kind: 'scenario' | 'context' | 'included' | 'seed'
}

export interface Located extends Place, SpecLine {}

/** A problem of a spec: its place, the rule that it breaks, and what to do. Collected, never thrown. */
export interface SpecProblem extends Place {
  readonly file: string
  /** Stable kebab-case id of the rule, for example `unknown-attribute`. */
  readonly ruleId: string
  readonly message: string
}

/** Words of comments `<!-- mdtest: … -->` under a heading or above a block. A word that was not written is absent. */
export interface Directives {
  /** The reason, or an empty string if none was given. */
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
  /** Continuation lines are joined with a newline. */
  readonly command: string
  readonly line: number
  /** Output lines of both streams, as written in the spec. */
  readonly expected: readonly string[]
  /** The exit code in a last line such as `[2]`; 0 without such a line. */
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
  /** `off`: the script goes on after a failed command, and its exit code is that of the last command. */
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
  /** `run`: runs before the agent acts on the step. `verify`: runs after the agent. `file`: is written before both. */
  readonly role: 'run' | 'verify' | 'file'
  readonly code: string
  /** Markdown line of the first line inside the fence (`line` is the fence itself). */
  readonly codeLine: number
  readonly attributes: BlockAttributes
  /** Line of the `Examples` row that fills in this block. Each row gets its own copy of the block. */
  readonly row?: number
  /** The block is from a recording and runs in place of an agent. */
  readonly isRecorded?: true
}

export type Block =
  | (BlockBase & { readonly kind: 'console'; readonly commands: readonly TranscriptCommand[] })
  | (BlockBase & { readonly kind: 'script'; readonly expected: readonly ExpectedOutput[] })
  | (BlockBase & { readonly kind: 'module'; readonly language: 'ts' | 'js' })
  | (BlockBase & { readonly kind: 'browser'; readonly language: 'ts' | 'js' })
  | (BlockBase & { readonly kind: 'file' })

/** A heading with the lines below it. */
export interface Headed extends Place {
  /** The text of the heading. In a `Spec` it is without markdown, and unique under its parent. */
  readonly title: string
  /** Last line with content, including children. */
  readonly endLine: number
}

/** A leaf heading: one Vitest test. */
export interface Step extends Headed, SpecLine {
  readonly kind: 'step'
  /** `<n>-<slug>`, where `n` is `ordinal`. */
  readonly id: string
  /** Counted from 1 in the scenario. */
  readonly ordinal: number
  readonly directives: Directives
  /** `agent`: there is prose or a check. `code`: only blocks, or no agent. `todo`: nothing to carry out. */
  readonly actor: 'agent' | 'code' | 'todo'
  /** Whether the agent gets code without any text. If so, `agent: none` was probably forgotten. */
  readonly isCodeAlone?: boolean
  readonly checks: readonly Check[]
  readonly blocks: readonly Block[]
  /** The table row under `Examples` that became this step. The step's `line` is the line of the row. */
  readonly example?: Example
  /** Set if recorded blocks run in place of the agent. If set, `actor` is `code`. */
  readonly replay?: StepReplay
}

/** Whether the recording has the step with its current wording, with an earlier wording, or not at all. */
export type StepReplay = 'current' | 'stale' | 'missing'

export interface Example {
  /** Title of the section, with placeholders as written. */
  readonly title: string
  readonly values: Readonly<Record<string, string>>
}

/** A heading with child headings: a Vitest `describe`. */
export interface Group extends Headed, SpecLine {
  readonly kind: 'group'
  readonly directives: Directives
  /** Blocks of the heading's own text. They run before the first step of the group. */
  readonly blocks: readonly Block[]
  readonly children: readonly (Group | Step)[]
}

/** The `Setup`/`Before` or `Teardown`/`After` sections of a scenario and of included files. A hook, not a test. */
export interface Hook extends Headed, SpecLine {
  readonly blocks: readonly Block[]
  readonly hasProse: boolean
}

/** Something that a document requires of the product; scenarios prove it. */
export interface Requirement extends Place {
  readonly title: string
  /** The text of the requirement in one line, if the title is only an id such as `FR-001`. */
  readonly text?: string
}

/** One H1 section; a spec with at most one H1 is one scenario. */
export interface Scenario extends Headed {
  readonly ordinal: number
  /** Headings above the scenario, the outermost first. Other scenarios may be below them, too. Default: none. */
  readonly groups?: readonly Headed[]
  /** Directives of the H1, if it has child headings and so becomes a `describe`. */
  readonly directives: Directives
  readonly hasDescribe: boolean
  /** Set if the heading of the scenario has `repeats`. Otherwise the repeats of the spec count. */
  readonly repeats?: Repeats
  /** Context from outside the scenario, such as the text before the first heading of the spec. */
  readonly preambles?: readonly SpecLines[]
  /** Shares nothing with other scenarios, and can run beside them. Its agent gets no text of other scenarios. */
  readonly isApart?: true
  /** Titles of the requirements that the scenario proves, each with a hash of the tested text. Default: none. */
  readonly proves?: Readonly<Record<string, string>>
  /** All lines of the scenario, for example with those of a background. Default: `line` to `endLine`. */
  readonly lines?: readonly SpecLines[]
  /** Blocks above the first step. They run before it. */
  readonly blocks: readonly Block[]
  readonly setup?: Hook
  readonly teardown?: Hook
  /** A scenario without child headings has one step. */
  readonly children: readonly (Group | Step)[]
}

/** One `.test.md` file, parsed. Plain data: it crosses to the Vitest workers as JSON. */
export interface Spec {
  readonly file: string
  readonly title: string
  readonly frontMatter: FrontMatter
  /** The agent that carries out the prose, after precedence was applied; `none` if no agent does. */
  readonly agent: string
  /** Absolute paths of all files that the spec includes, directly or indirectly, in the order of their sections. */
  readonly includes: readonly string[]
  readonly scenarios: readonly Scenario[]
  /** In the order of the file; absent if specs of this form have no requirements. */
  readonly requirements?: readonly Requirement[]
  /** Name of the spec's OpenSpec change. Its scenarios are expected to fail until the change is archived. */
  readonly change?: string
}

export interface ParsedSpec {
  /** The spec as far as it could be read. */
  readonly spec: Spec
  /** Text of each included file, even a file with problems, by absolute path. */
  readonly included: ReadonlyMap<string, string>
  /** Why a file could not be read, by absolute path. */
  readonly unread: ReadonlyMap<string, string>
  readonly problems: readonly SpecProblem[]
}

/** The user whose browser a step uses; empty for the unnamed user. */
export function userOf({ directives }: Pick<Step, 'directives'>, { login }: Pick<FrontMatter, 'login'>): string {
  return (directives.login ?? login)?.user ?? ''
}

export function usersOf(scenario: Scenario, frontMatter: Pick<FrontMatter, 'login'>): readonly string[] {
  return [...new Set([scenario, ...stepsOf(scenario)].map((each) => userOf(each, frontMatter)))]
}

export function stepsOf(parent: { readonly children: readonly (Group | Step)[] }): readonly Step[] {
  return parent.children.flatMap((child) => (child.kind === 'step' ? [child] : stepsOf(child)))
}

/** Whether the directive `skip` or `todo` leaves a step or group out of the scenario. */
export function isLeftOut({ directives }: Pick<Step, 'directives'>): boolean {
  return directives.skip !== undefined || directives.todo === true
}

/** Blocks in the order in which they run. The agent's work, or `act` in its place, comes before `verify` blocks. */
export function inOrder<Act = never>(blocks: readonly Block[], act: readonly Act[] = []): readonly (Block | Act)[] {
  const isAfter = ({ role }: Block): boolean => role === 'verify'
  return [...blocks.filter((block) => !isAfter(block)), ...act, ...blocks.filter(isAfter)]
}

export function mapSteps(scenario: Scenario, replace: (step: Step) => Step): Scenario {
  const inGroup = (children: Group['children']): Group['children'] =>
    children.map((child) => (child.kind === 'step' ? replace(child) : { ...child, children: inGroup(child.children) }))
  return { ...scenario, children: inGroup(scenario.children) }
}

/** All blocks of a scenario, blocks of hooks first. */
export function blocksOf(scenario: Omit<Scenario, 'ordinal'>): readonly Block[] {
  const hooks = [scenario.setup, scenario.teardown].flatMap((hook) => hook?.blocks ?? [])
  return [...hooks, ...scenario.blocks, ...scenario.children.flatMap(blocksBelow)]
}

function blocksBelow(node: Group | Step): readonly Block[] {
  return node.kind === 'step' ? node.blocks : [...node.blocks, ...node.children.flatMap(blocksBelow)]
}

type Heading = Pick<Group, 'title' | 'directives'>

export interface PlacedStep {
  readonly scenario: Scenario
  readonly step: Step
  /** Headings of the `describe`s around the step, the outermost first, and of the step itself. */
  readonly headings: readonly Heading[]
  /** Titles of the headings. */
  readonly titles: readonly string[]
}

export function placedSteps(scenario: Scenario): readonly PlacedStep[] {
  const placesBelow = (node: Group | Step, above: readonly Heading[]): readonly PlacedStep[] => {
    const headings = [...above, node]
    if (node.kind === 'group') return node.children.flatMap((child) => placesBelow(child, headings))
    return [{ scenario, step: node, headings, titles: headings.map(({ title }) => title) }]
  }
  const { groups = [], hasDescribe, children } = scenario
  const above = [...groups.map(({ title }) => ({ title, directives: {} })), ...(hasDescribe ? [scenario] : [])]
  return children.flatMap((child) => placesBelow(child, above))
}

export function lineOf({ line, file }: { readonly line: number; readonly file?: string | undefined }): SpecLine {
  return { line, ...(file !== undefined && { file }) }
}

export function titledLineOf(at: SpecLine & { readonly title: string }): SpecLine & { readonly step: string } {
  return { step: at.title, ...lineOf(at) }
}
