import type { Block } from '../../spec/spec.ts'
import type { BlockFinding, BlockRun } from '../block-finding.ts'
import type { BrowserFault, BrowserProgress } from './browser-protocol.ts'
import type { ScenarioBrowser } from './scenario-browser.ts'

type BrowserBlock = Extract<Block, { kind: 'browser' }>

export interface BrowserRun extends BlockRun {
  readonly browser: ScenarioBrowser
}

export async function runBrowser(block: BrowserBlock, run: BrowserRun): Promise<BlockFinding> {
  const { browser, captures, onCommand } = run
  const secrets = await readSecrets(block.code, run)
  if (typeof secrets === 'string') return { status: 'fail', message: secrets }
  let told = Promise.resolve()
  const onCalled = (progress: BrowserProgress): void => {
    told = told.then(() => onCommand?.(endedCommand(block, progress)))
  }
  const reply = await browser.run(
    {
      page: block.isRecorded ? 'agent' : 'spec',
      user: browser.user,
      code: block.code,
      language: block.language,
      baseUrl: browser.baseUrl,
      directory: run.workDir,
      captures: Object.fromEntries(captures),
      secrets,
      waitMs: block.attributes.timeoutMs,
      timeoutMs: run.timeoutMs,
      tellsCalls: onCommand !== undefined,
    },
    onCalled,
  )
  await told
  if (reply.kind === 'fault') return describeFault(reply, block, run)
  for (const [name, value] of Object.entries(reply.captures)) captures.set(name, value)
  return { status: 'pass', message: '' }
}

async function readSecrets(code: string, run: BrowserRun): Promise<Readonly<Record<string, string>> | string> {
  const names = new Set([...code.matchAll(/\bsecret\(\s*(['"])([A-Za-z_]\w*)\1\s*\)/g)].map(([, , name = '']) => name))
  const problem = names.size === 0 ? undefined : await run.exportCaptures()
  if (problem !== undefined) return problem
  const secrets = new Map<string, string>()
  for (const name of names) {
    const result = await run.shell.run(`[ -n "\${${name}+x}" ] && printf %s "$${name}"`, {
      timeoutMs: run.timeoutMs,
      streams: 'separate',
      env: run.env,
    })
    if (result.status !== 'done') return 'The shell of the scenario, whose variables it needs, is gone.'
    if (result.exitCode !== 0) continue
    secrets.set(name, result.stdout)
    if (run.captures.get(name) !== result.stdout) run.browser.hidden.add(result.stdout)
  }
  return Object.fromEntries(secrets)
}

function endedCommand(block: BrowserBlock, { index, page, passwords, captures }: BrowserProgress) {
  const printed = page.map((line) => `${line}\n`).join('')
  const line = block.codeLine + index
  return { block, line, exitCode: 0, printed, passwords, captures: new Map(Object.entries(captures)) }
}

function describeFault(
  { what, message, index }: BrowserFault,
  { codeLine }: BrowserBlock,
  { browser, redact, update }: BrowserRun,
): BlockFinding {
  const text = what === 'sight' && update !== undefined ? `${message}\n\n${notRewritten}` : message
  const cause = causes[what]
  return {
    status: what === 'timeout' ? 'timeout' : 'fail',
    message: redact(withoutHidden(text, browser)),
    ...(index !== undefined && { line: codeLine + index }),
    ...(cause !== undefined && { cause }),
    ...(what === 'lost' && { blockedBy: 'BROWSER_UNAVAILABLE' }),
    ...(what === 'login' && { blockedBy: 'LOGIN_FAILED' }),
    ...(what === 'sight' && { isOutputOnly: true }),
  }
}

const causes: Readonly<Partial<Record<BrowserFault['what'], string>>> = {
  control: 'control missing',
  many: 'control ambiguous',
  page: 'page not ready',
  other: 'action failed',
}

function withoutHidden(text: string, { hidden }: ScenarioBrowser): string {
  return [...hidden]
    .filter((value) => value.length >= shortestHidden)
    .reduce((rest, value) => rest.replaceAll(value, '***'), text)
}

/** Shorter values stay readable in messages, because they also occur in unrelated words. */
const shortestHidden = 3

const notRewritten =
  'Not rewritten: `-u` does not write browser blocks. Correct the line, or record the step again with `mdtest record`.'
