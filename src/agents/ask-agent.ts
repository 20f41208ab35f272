import { randomBytes } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LauncherAddress } from '../system/process/launcher/launcher.ts'
import { runCommand, type CommandResult } from '../system/process/run-command.ts'
import type { Ground } from '../system/files/ground.ts'
import { replaceFile } from '../system/files/write-file.ts'
import type { Redactor } from '../system/redaction/redact.ts'
import { redactTexts } from '../system/redaction/redact-texts.ts'
import type { AgentRequest, AnswerRequest, CliAgent } from './agent.ts'
import { isProviderLimit } from './error-cause.ts'
import { AgentTranscript, type CallUsage } from './agent-transcript.ts'
import { rawLogName, readUsage } from './read-session.ts'
import { mcpConfig } from './report-access.ts'
import { describeEnd, describeExit } from '../system/text/wording.ts'

/** A question to an agent, which works for the answer: no spec, no log, no reports. */
export interface Question extends Pick<
  AgentRequest,
  'prompt' | 'cwd' | 'env' | 'allow' | 'network' | 'dangerouslyAllowAllActions' | 'maxCostUsd' | 'mcpServers'
> {
  readonly agent: CliAgent
  /** JSON schema of the answer; an object. */
  readonly schema: object
  /** The session to go on in. Default: a new one. */
  readonly sessionId?: string | undefined
  /** Absolute path of a folder that is there, for the schema and the raw log. */
  readonly folder: string
  /** Below it no link on the way to that folder is followed. */
  readonly ground: Ground
  /** Absolute path of a folder that nobody else can enter and that does not outlive the run: servers may have secrets. */
  readonly privateFolder: string
  readonly hardTimeoutMs: number
  readonly silenceTimeoutMs?: number
  readonly launcher: LauncherAddress
  /** What this call, and nothing else, carries in `MDTEST_MARKS`. */
  readonly mark: string
  readonly runMark?: string
  readonly signal?: AbortSignal
  /** Takes secrets out of the raw log and the answer. */
  readonly redactor: Redactor
}

/** What came back. What it used is told in any case. */
export type Answer = CallUsage & ({ readonly ok: true; readonly value: unknown } | Refusal)

interface Refusal {
  readonly ok: false
  /**
   * `limit`: its provider asks to come back later. `broke-off`: the program did not end well. `no-answer`: it did, and no
   * JSON object was in what it said.
   */
  readonly cause: 'auth' | 'budget' | 'limit' | 'timeout' | 'canceled' | 'broke-off' | 'no-answer'
  /** A sentence. */
  readonly reason: string
}

/** Time that an agent has after SIGTERM, in milliseconds. */
const graceMs = 5_000

/** Asks once. Never throws: that nothing came back is an answer like others. Whether the value fits is for the caller to check. */
export async function askAgent(question: Question): Promise<Answer> {
  const { agent, folder } = question
  // Claude Code refuses the name of a draft that it has not got.
  const schema = Object.fromEntries(Object.entries(question.schema).filter(([key]) => key !== '$schema'))
  const schemaFile = join(folder, 'answer.schema.json')
  replaceFile(question.ground, schemaFile, `${JSON.stringify(schema, null, 2)}\n`)
  const answer = { schema, schemaFile, sessionId: question.sessionId, mcpConfigFile: writeMcpConfig(question) }
  const transcript = new AgentTranscript()
  const result = await runCommand(agent.buildCommand(requestOf(question, answer)), {
    ...limitsOf(question),
    graceMs,
    redactor: question.redactor,
    rawLogFile: join(folder, rawLogName),
    rawLogGround: question.ground,
    onLine(stream, line) {
      const read = stream === 'stdout' ? agent.readEvents : agent.readDiagnostics
      for (const event of read?.(line) ?? []) transcript.onEvent(event)
      if (stream === 'stdout' && agent.reports === 'none') transcript.onText(line)
    },
  })
  // What is said of an answer is written down and shown.
  return {
    ...readUsage(transcript, question),
    ...redactTexts(answerFrom(transcript, result), question.redactor.redact),
  }
}

function writeMcpConfig({ mcpServers = {}, privateFolder }: Question): string | undefined {
  if (Object.keys(mcpServers).length === 0) return undefined
  const file = join(privateFolder, `mcp-${randomBytes(4).toString('hex')}.json`)
  writeFileSync(file, mcpConfig(mcpServers), { mode: 0o600 })
  return file
}

function requestOf(question: Question, answer: AnswerRequest): AgentRequest {
  const { folder, prompt } = question
  const lastWords = `Your last message has to be one JSON object and nothing else, by this JSON schema:\n\n${JSON.stringify(answer.schema)}\n`
  return {
    ...question,
    prompt: `${prompt}\n\n${lastWords}`,
    specFile: join(question.cwd, '.'),
    root: question.cwd,
    logFile: join(folder, 'answer.json'),
    answer,
    ...writtenSettings(question),
  }
}

/** What its user has allowed in advance does not count here either. */
function writtenSettings({ agent, env, privateFolder }: Question): Pick<AgentRequest, 'settingsHome'> {
  if (agent.writeSettings === undefined) return {}
  const settingsHome = mkdtempSync(join(privateFolder, 'home-'))
  agent.writeSettings(settingsHome, env)
  return { settingsHome }
}

function limitsOf(
  question: Question,
): Pick<Question, 'launcher' | 'hardTimeoutMs' | 'silenceTimeoutMs' | 'mark' | 'runMark' | 'signal'> {
  const { launcher, hardTimeoutMs, silenceTimeoutMs, mark, runMark, signal } = question
  return {
    launcher,
    hardTimeoutMs,
    mark,
    ...(silenceTimeoutMs !== undefined && { silenceTimeoutMs }),
    ...(runMark !== undefined && { runMark }),
    ...(signal !== undefined && { signal }),
  }
}

function answerFrom(
  transcript: AgentTranscript,
  { end, tail }: CommandResult,
): { readonly ok: true; readonly value: unknown } | Refusal {
  const { error } = transcript
  if (error !== undefined && isProviderLimit(error)) return { ok: false, cause: 'limit', reason: error.message }
  if (error?.cause === 'auth' || error?.cause === 'budget') {
    return { ok: false, cause: error.cause, reason: error.message }
  }
  switch (end.reason) {
    case 'canceled':
      return { ok: false, cause: 'canceled', reason: 'The agent was canceled.' }
    case 'hard-timeout':
      return { ok: false, cause: 'timeout', reason: `The agent took longer than ${end.limitMs} ms.` }
    case 'silence-timeout':
      return { ok: false, cause: 'timeout', reason: `The agent was silent for ${end.limitMs} ms.` }
    case 'signal':
      return { ok: false, cause: 'broke-off', reason: `The agent ${describeEnd(end)}.` }
    case 'spawn-failed':
    case 'lost':
      return { ok: false, cause: 'broke-off', reason: end.error.message }
    case 'exit':
      return answerOfExit(transcript, end.exitCode, tail)
  }
}

function answerOfExit(
  transcript: AgentTranscript,
  exitCode: number,
  tail: string,
): { readonly ok: true; readonly value: unknown } | Refusal {
  const { error, answer } = transcript
  if (error !== undefined) return { ok: false, cause: 'broke-off', reason: error.message }
  if (exitCode !== 0) {
    return {
      ok: false,
      cause: 'broke-off',
      reason: `The agent ${describeExit(exitCode)}: ${tail.trim().slice(-300)}`,
    }
  }
  if (answer !== undefined) return { ok: true, value: answer }
  return { ok: false, cause: 'no-answer', reason: 'The agent ended without a JSON object as its answer.' }
}
