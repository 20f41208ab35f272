import type { Worker } from 'node:worker_threads'
import type { RunningCode } from '../../host/protocol/protocol.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { join } from 'node:path'
import { listCopied } from '../../scenario/workspace/copy-root.ts'
import { url as inspectorUrl } from 'node:inspector'
import type { TestProject, Vitest } from 'vitest/node'
import { createHost } from '../../host/server/host.ts'
import { Progress } from '../../host/protocol/agents-at-work.ts'
import { cancelingReporter } from '../reporters/canceling-reporter.ts'
import { createIsSpec, describeLeftOut, findProblem, isIndexPage, madeOf } from '../../plan/spec-files.ts'
import { mayHavePages } from '../../plan/options/option-defaults.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import { recordingsGlob } from '../../spec/recording/recording.ts'
import { logsGlob } from '../../records/folders/log-names.ts'
import { escapeGlob, specsConfigOf } from './plugin-list.ts'
import { followCause, type RunCause } from '../watch/run-cause.ts'
import { givenWorkers } from '../private-api/untyped-members.ts'
import { linesReporter } from '../reporters/lines/lines-reporter.ts'
import { progressReporter } from '../reporters/lines/progress-reporter.ts'
import { ReportReporter } from '../reporters/report-reporter.ts'
import { hasReporter, hideSummaryWindow, printLine } from '../reporters/lines/print-line.ts'
import { declareTags } from './spec-tags.ts'
import { SpecRecordings } from './spec-recordings.ts'
import { shortNotes } from '../private-api/terminal-annotations.ts'
import { summaryReporter } from '../reporters/summary/summary-reporter.ts'
import { stepSummaryReporters } from '../reporters/summary/job-summary-reporter.ts'
import { globalSetupOf, noteReads } from './note-reads.ts'
import { keepChangedSpecs } from './changed-specs.ts'
import { watchFiles } from '../watch/watch-files.ts'
import type { OutputUpdates } from '../../host/rewrite/output-rewriter.ts'
import { orNothing } from '../../system/error-facts.ts'
import { isCi } from '../../system/is-ci.ts'
import { loginsGlob } from '../../system/spec-endings.ts'

/** Starts the host, and sets the options that Vitest does not pass on to an inline project. */
export async function setUpProject(vitest: Vitest, project: TestProject, specsConfig: SpecsConfig): Promise<void> {
  const { config } = project
  const { options, signal, terminal, files, report } = specsConfig
  const { root } = vitest.config
  const isSpec = createIsSpec({ root, include: options.include, files })
  const maxAgents = Math.min(options.maxAgents, specsConfig.concurrency ?? options.maxAgents)
  const others = vitest.projects.filter((other) => other !== project)
  putLast(config, others)
  config.exclude = [...vitest.config.exclude, logsGlob, recordingsGlob, loginsGlob]
  const pages = await leaveOutPages(project, specsConfig)
  config.dir = vitest.config.dir
  if (vitest.config.typecheck.enabled && vitest.config.typecheck.only) config.include = []
  // A user's own project (with another name) keeps its own values of these settings.
  if (config.name === 'mdtest') {
    config.maxWorkers = specsConfig.concurrency ?? givenWorkers(vitest) ?? config.maxWorkers
    // Scenarios of one spec may run in parallel.
    config.maxConcurrency = maxAgents
    // Vite must load markdown, because Node.js cannot. Vitest 4 takes this option from the root configuration.
    config.experimental = { ...config.experimental, viteModuleRunner: true }
  }
  config.attachmentsDir = vitest.config.attachmentsDir
  await declareTags(vitest, project, specsConfig)
  const progress = options.progress && terminal === undefined ? new Progress() : undefined
  const isDebugged = vitest.config.inspector.enabled || inspectorUrl() !== undefined
  const ender = openWorkerEnder(vitest)
  const recordings = new SpecRecordings(project, specsConfig)
  const { configFile, configFileDependencies } = vitest.vite.config
  const configFiles = [...new Set([configFile ?? [], configFileDependencies].flat())]
  const { patterns } = specsConfigOf(project.vite.config.plugins) ?? {}
  const ofAll = { ...specsConfig, configFiles: [...configFiles, ...globalSetupOf(vitest), ...envFilesOf(project)] }
  const reads = noteReads(project, ofAll, patterns)
  const host = await createHost({
    agent: options.agent,
    env: process.env,
    guardedFiles: configFiles,
    onTrace: reads.onTrace,
    listSpecs: async () => madeOf((await project.globTestFiles()).testFiles, { root, ...specsConfig }),
    now: () => new Date(),
    signal,
    progress,
    terminal,
    ...(!isDebugged && { onStuck: (code) => ender.end(code) }),
    maxAgents,
    updates: outputUpdates(project, specsConfig),
    recordings,
    runBudget: { maxCostUsd: options.maxRunCostUsd, maxTokens: options.maxRunTokens },
  })
  // Hide the summary now, because Vitest creates its reporters later.
  if (terminal) hideSummaryWindow(vitest.config.reporters)
  vitest.config.reporters.push(
    summaryReporter(project, host),
    recordings.reporter,
    reads.reporter,
    shortNotes(vitest),
    linesReporter(project, specsConfig),
    ...(pages.length > 0 ? [{ onTestRunStart: () => printLine(vitest, describeLeftOut(pages)) }] : []),
    ...stepSummaryReporters(project, isSpec),
  )
  if (signal) vitest.config.reporters.unshift(cancelingReporter(vitest, signal))
  const provide = (cause: RunCause, asked?: readonly string[]): void =>
    project.provide('mdtest', { address: host.address, root, isDebugged, cause, asked })
  const onRun = options.watchAgents ? (): void => {} : provide
  provide('demand')
  if (vitest.config.watch) vitest.config.reporters.push(followCause(vitest, isSpec, onRun))
  if (patterns) watchFiles(project, { patterns, host })
  keepChangedSpecs(project, ofAll)
  if (report && !hasReporter(vitest, 'vitest-mdtest/reporter')) vitest.config.reporters.push(new ReportReporter())
  if (progress) vitest.config.reporters.push(progressReporter(progress))
  const endNow = (): void => host.endNow()
  // A signal can end Vitest without `onClose`, but never without the `exit` event.
  process.on('exit', endNow)
  vitest.onClose(async () => {
    process.off('exit', endNow)
    ender.close()
    await host.close()
  })
}

/** Makes specs run after the user's tests. Set here, because `--sequence.x` replaces an order in project options. */
function putLast(config: TestProject['config'], others: readonly TestProject[]): void {
  const last = Math.max(0, ...others.map((other) => other.config.sequence.groupOrder))
  // If projects with one isolated worker have no group, Vitest runs them last. So give them a group.
  const behindAll = others.filter(
    (other) => other.config.isolate && other.config.maxWorkers === 1 && other.config.sequence.groupOrder === 0,
  )
  for (const { config: own } of behindAll) own.sequence = { ...own.sequence, groupOrder: last + 1 }
  config.sequence = { ...config.sequence, groupOrder: last + (behindAll.length > 0 ? 2 : 1) }
}

/** The files that Vite may read `import.meta.env` from. */
function envFilesOf({ vite: { config } }: TestProject): readonly string[] {
  const folder = config.envDir
  const names = ['.env', '.env.local', `.env.${config.mode}`, `.env.${config.mode}.local`]
  return folder ? names.map((name) => join(folder, name)) : []
}

/** Treats expected output like snapshots: `-u` and the key `u` update the output, and Vitest counts the updates. */
function outputUpdates({ vitest, config }: TestProject, specsConfig: SpecsConfig): OutputUpdates {
  return {
    mode() {
      // `updateSnapshot` is `all` with `-u`, and for one run after the key `u`.
      if (vitest.snapshot.options.updateSnapshot !== 'all') return 'off'
      if (isCi(process.env)) return 'refused'
      return vitest.config.snapshotOptions.updateSnapshot === 'all' ? 'always' : 'once'
    },
    findProblem: (specFile, texts) => findProblem(specFile, { texts, root: config.root, ...specsConfig }),
    onRewritten(filepath, { added, updated }) {
      const unchanged = { fileDeleted: false, matched: 0, unchecked: 0, uncheckedKeys: [], unmatched: 0 }
      vitest.snapshot.add({ ...unchanged, filepath, added, updated })
    },
  }
}

async function leaveOutPages({ config }: TestProject, { options, files }: SpecsConfig): Promise<readonly string[]> {
  const { agent, include } = options
  // `mdtest run` has chosen its files and reported left-out pages already.
  if (files !== undefined || !mayHavePages(agent)) return []
  const isSpec = createIsSpec({ root: config.root, include })
  const { files: all } = await listCopied({ folder: config.root, env: process.env })
  const pages = all.filter((path) => isSpec(join(config.root, path)) && isIndexPage(path, include))
  config.exclude = [...config.exclude, ...pages.map(escapeGlob)]
  return pages
}

// `openWorkerEnder` depends on how Vitest starts its workers. Checked with Vitest 4.1.12 and 5.1.1.

/** Ends stuck workers, so that the run fails but goes on. Vitest lists no workers, so new workers are tracked. */
function openWorkerEnder({ state }: Pick<Vitest, 'state'>): { end(code: RunningCode): void; close(): void } {
  const threads = new Map<number, Worker>()
  const note = (worker: Worker): void => {
    const { threadId } = worker
    threads.set(threadId, worker)
    worker.once('exit', () => threads.delete(threadId))
  }
  process.on('worker', note)
  return {
    end(code) {
      state.catchError(stuckError(code), 'Unhandled Error')
      if (code.pid === process.pid) void threads.get(code.threadId)?.terminate()
      else orNothing(() => process.kill(code.pid, 'SIGKILL'))
    },
    close: () => void process.off('worker', note),
  }
}

function stuckError({ file, line, limitMs }: RunningCode): MdtestError {
  const message = `The code of this block kept its worker busy beyond the limit of ${limitMs} ms, so the worker was ended, and with it all that its spec had left to do.`
  const error = new MdtestError('SPEC_STUCK', message, { hint: 'Look for a loop that does not end, or `await` in it.' })
  error.stack = `${error.name}: ${error.message}\n    at ${file}:${line}:1`
  return error
}
