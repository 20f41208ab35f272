import type { SessionsSummary } from '../sessions/session-summary.ts'
import type { Summary } from '../folder/summary.ts'
import { receiveContent } from './load-content.ts'
import { showSessions } from './show-sessions.ts'
import { showSpecs } from './show-specs.ts'
import { createThemeSwitch } from './theme.ts'

declare const mdtestSummary: Summary
declare const mdtestSessions: SessionsSummary

receiveContent()
createThemeSwitch()
if (document.body.dataset['page'] === 'sessions') showSessions(mdtestSessions, mdtestSummary)
else showSpecs(mdtestSummary, mdtestSessions)
