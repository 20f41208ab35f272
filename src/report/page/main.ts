import type { CoverageReport } from '../../coverage/coverage.ts'
import type { SessionsSummary } from '../sessions/session-summary.ts'
import type { Summary } from '../folder/summary.ts'
import { receiveContent } from './load-content.ts'
import { showCoverage } from './show-coverage.ts'
import { showSessions } from './show-sessions.ts'
import { showSpecs } from './show-specs.ts'
import { createThemeSwitch } from './theme.ts'

declare const mdtestSummary: Summary
declare const mdtestSessions: SessionsSummary
declare const mdtestCoverage: CoverageReport

receiveContent()
createThemeSwitch()
switch (document.body.dataset['page']) {
  case 'sessions':
    showSessions(mdtestSessions, mdtestSummary)
    break
  case 'coverage':
    showCoverage(mdtestCoverage, mdtestSummary)
    break
  default:
    showSpecs(mdtestSummary, { ...mdtestSessions, coverage: mdtestCoverage })
}
