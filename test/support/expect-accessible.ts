import { join } from 'node:path'
import axe from 'axe-core'
import { expect } from 'vitest'
import type { Page } from './open-browser.ts'

/** Holds a page against the rules of axe, unfolded, in light, dark, narrow and in print, and leaves a picture of each in a folder that is there. */
export async function expectAccessible(page: Page, folder: string): Promise<void> {
  await page.evaluate(`for (const details of document.querySelectorAll('details')) details.open = true`)
  await page.evaluate(axe.source)
  for (const [name, colorScheme, width] of [
    ['light', 'light', 1200],
    ['dark', 'dark', 1200],
    ['narrow', 'light', 390],
    ['print', 'dark', 800],
  ] as const) {
    await page.emulateMedia({ colorScheme, media: name === 'print' ? 'print' : 'screen' })
    await page.setViewportSize({ width, height: 900 })
    const violations = await page.evaluate(
      `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html + ' ' + node.failureSummary).join('\\n')))`,
    )
    expect(violations, name).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${name} fits`).toBe(true)
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
  }
  await page.emulateMedia({ colorScheme: 'light', media: 'screen' })
}
