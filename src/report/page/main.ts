import { roundPercent, type CoverageReport } from '../../coverage/compute-coverage.ts'
import { plural } from '../../system/text/wording.ts'
import type { Summary } from '../folder/summary.ts'
import { byId, element } from './element.ts'
import { showCoverage } from './show-coverage.ts'
import { showHead } from './show-head.ts'
import { showList } from './show-list.ts'

declare const mdtestSummary: Summary
declare const mdtestCoverage: CoverageReport

if (document.body.dataset['page'] === 'coverage') showCoverage(mdtestCoverage, mdtestSummary)
else {
  showHead(mdtestSummary)
  showList(mdtestSummary.specs)
  const { covered, requirements } = mdtestCoverage.summary
  const text = `${covered} of ${plural(requirements, 'requirement')} covered (${roundPercent(mdtestCoverage.summary)} %)`
  if (requirements > 0) byId('elsewhere').append(element('a', { href: 'coverage.html' }, text))
}
