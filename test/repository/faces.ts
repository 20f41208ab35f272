const names: Readonly<Record<string, string>> = {
  agents: `
    agent agent-environment agent-events agent-transcript ask-agent browser/block-browser
    browser/browser-settings browser/browsers browser/saved-logins browser/playwright-package browser/quotable-page-text env-file
    preparation prompt registry report-access resolve-agent`,
  blocks: `
    block-finding browser/scenario-browser captures module/module-scope module/run-module  run-blocks
    service/block-services shell/open-scenario-shell shell/shell-end shell/shell-environment shell/trace-reads write-file-block`,
  'blocks/expected-output': `
    align-lines compare-lines counts-as-check escape-line format-diff output-lines parse-expected
    parse-template rewrite-markdown write-expected`,
  commands: 'main wrong-node',
  'commands/common': `
    cli define-command find-specs flags styled-text suite with-live-trees`,
  'commands/attempt': `
    attempt changes/file-kinds changes/judge-changes checkpoints/checkpoints`,
  'commands/project-config': 'gate-config read-gate-config',
  'commands/coverage': 'coverage',
  'commands/demo': 'demo',
  'commands/docs': 'docs',
  'commands/fix': 'fix',
  'commands/fix/session': `
    finished-acts fix-report session-progress session-state session-store test-results`,
  'commands/gate': 'gate',
  'commands/init': 'init',
  'commands/list': 'list',
  'commands/login': 'login',
  'commands/mcp': 'mcp',
  'commands/record': 'record',
  'commands/report': 'report',
  'commands/run': 'flags run',
  'commands/sessions': 'sessions',
  'commands/show': 'show',
  coverage: 'compute-coverage read-coverage',
  permissions: 'line-evidence permit known-programs read-command-line allow-rules',
  'permissions/sandbox': 'bubblewrap',
  'host/executor': 'executor lent-servers',
  'host/protocol': 'channel agents-at-work protocol',
  'host/guard': `
    file-state git-files guarded-places source-snapshots source-watch`,
  'host/evidence': 'check-citations journal-writer agents-own-files product-activity redact-files',
  'host/agent-reports': 'report-reader report-server result-log-writer step-reports',
  'host/agent-run': 'agent-task budget log-in-users guard-agent-run start-agent',
  'host/rewrite': 'output-rewriter write-recordings update-refusals',
  'host/server': 'connect-host host',
  jest: 'mdtest-project report-reporter set-up-run transform',
  mcp: 'mcp-session server-failures',
  plan: `
    scenario-attempts dialect-of describe-failure spec-files module-lines heading-line plan plan-spec read-spec
    rests-on/last-reads rests-on/rests-on recordings/record-run recordings/record-spec recordings/replay
    scenario-timeout specs-config step-meta build-step-meta summary-lines update-spec`,
  'plan/options': 'options requirements option-defaults spec-settings',
  recordings: 'gates/find-vacuous describe-recording record-scenario reproduce-scenario',
  records: `
    agent-call block-outcome folders/log-file folders/log-names folders/log-paths
    folders/read-run folders/prune-run-folders journal/journal outcome
    outcomes/outcome-files recorded-reason result-log/format-result-log
    result-log/parse-result-log result-log/read-result-log result-log/result-log result-log/result-log-schema step-source tokens-and-cost used-executor
    verdict/verdict-record`,
  'pull-request': 'job-summary tell-pull-request workflow',
  report: `
    shown-failure data/ended-step data/run-record data/spec-record report-writer fix-session-page`,
  scenario: `
    plan-blocks rate-step repeated-run scenario-input scenario-record scenario-run scenario-updates settled-step
    workspace/copy-root`,
  spec: `
    blocks/expectations-of browser/addresses browser/credentials browser/limits browser/page-lines
    dialects/dialect-places front-matter/front-matter
    front-matter/login-file front-matter/servers-and-logins front-matter/parse-yaml front-matter/mcp-secrets front-matter/value-forms front-matter/read-includes markdown/hidden-text markdown/positions-and-placeholders
    markdown/parse-markdown parse-spec problems recording/format-recording recording/parse-recording
    recording/recording recording/step-keys
    recording/update-recording sections/blocks-between-prose spec`,
  system: `
    error-facts is-ci mdtest-error mdtest-package slots-and-timers spec-endings without-undefined`,
  login: 'mailbox secrets-and-origins totp',
  'system/files': `
    file-errors trusted-folder list-files match-glob paths read-file remove-files write-file`,
  'system/git': 'git',
  'system/process': `
    command launcher/launch launcher/launcher launcher/live-trees launcher/run-folder read-output run-command
    run-program trees/hold-tree trees/kill-trees trees/marks trees/process-table trees/sockets wait-for-end`,
  'system/redaction': 'open-redactor secret-forms redact-texts',
  'system/shell': 'open-shell open-shell-result',
  'system/terminal': 'run-in-terminal terminal',
  'system/text': `
    byte-text did-you-mean parse-json plain-text shell-and-regex-quotes suggest-rule wording`,
  'test-runners': `
    console-counts executed-tests readers/junit-xml readers/file-and-line readers/read-results run/check-scope
    run/make-excerpt run/run-tests run/start-runner run/test-run runner runners`,
  verdict: 'evaluate-scenario verdict',
  vitest: `
    plugin/load-options plugin/mdtest plugin/run-specs reporters/lines/print-line
    reporters/ctrf-reporter reporters/github-reporter reporters/report-reporter reporters/spec-results worker/runtime`,
}

/** The files of each room that other rooms may import, without `.ts`. All others are the room's own. */
export const faces: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(names).map(([room, text]) => [room, text.trim().split(/\s+/)]),
)
