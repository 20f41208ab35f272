import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { vi } from 'vitest'
import { openBrowser, type Page } from './open-browser.ts'

/** Where the page of a report leads to. */
export interface Followed {
  /** Words of the links to files and what pictures show, by `title of the spec > id of the step`, and by `title of the spec > run` for what stands below the steps. */
  readonly links: Readonly<Record<string, readonly string[]>>
  /** Whatever leads nowhere: files that are missing, steps that are not gone to, pictures that are none. */
  readonly broken: readonly string[]
}

/** Opens a report (absolute path of its folder) from disk in real Chromium, then all its specs, and goes wherever they lead. */
export async function followLinks(dir: string): Promise<Followed> {
  await using browser = await openBrowser()
  const page = await browser.openPage()
  await page.goto(pathToFileURL(join(dir, 'index.html')).href)
  await page.locator('#open-all').click()
  const areOpen = `[...document.querySelectorAll('.content')].every((one) => one.childElementCount > 0)`
  await vi.waitUntil(() => page.evaluate(areOpen), { timeout: 60_000 })
  const found = (await page.evaluate(fileLinks)) as readonly FileLink[] // what the code gives
  const broken = [...((await page.evaluate(brokenParts)) as readonly string[])] // what the code gives
  const links: Record<string, string[]> = {}
  for (const { place, words, url } of found) {
    ;(links[place] ??= []).push(words)
    if (!(await isThere(page, url))) broken.push(url)
  }
  return { links, broken }
}

interface FileLink {
  readonly place: string
  readonly words: string
  readonly url: string
}

const fileLinks = `[...document.querySelectorAll('.spec a[href]:not(.here)')].map((link) => {
  const part = link.closest('.step')?.dataset.step ?? (link.closest('.run') ? 'run' : 'text')
  const place = link.closest('.spec').querySelector('.title').innerText + ' > ' + part
  return { place, words: link.innerText.trim() || link.querySelector('img').alt, url: link.href }
})`

/** Pictures are loaded when they are looked at. */
const brokenParts = `(async () => {
  const broken = []
  for (const image of document.images) {
    image.loading = 'eager'
    await image.decode().catch(() => broken.push(image.src))
  }
  for (const link of document.querySelectorAll('a.here')) {
    const isThere = () => document.activeElement === link.closest('.step')
    link.click()
    for (let tries = 0; !isThere() && tries < 200; tries += 1) await new Promise((resolve) => setTimeout(resolve, 25))
    if (!isThere()) broken.push(link.href)
  }
  return broken
})()`

/** What a browser does not show it saves. */
async function isThere(page: Page, url: string): Promise<boolean> {
  return page.goto(url).then(
    () => true,
    (error: unknown) => String(error).includes('Download is starting'),
  )
}
