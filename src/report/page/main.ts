import type { CoverageReport } from '../../coverage/coverage.ts'
import type { Summary } from '../folder/summary.ts'
import { receiveContent } from './load-content.ts'
import { showCoverage } from './show-coverage.ts'
import { showSpecs } from './show-specs.ts'
import { createThemeSwitch } from './theme.ts'

declare const mdtestSummary: Summary
declare const mdtestCoverage: CoverageReport

receiveContent()
createThemeSwitch()
if (document.body.dataset['page'] === 'coverage') showCoverage(mdtestCoverage, mdtestSummary)
else showSpecs(mdtestSummary, mdtestCoverage)
