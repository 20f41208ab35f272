import type { FoundBy } from '../browser-protocol.ts'
import type { Locator, Page } from './playwright.ts'

/** What Playwright calls a control. */
export function findControl(page: Page, control: FoundBy): Locator {
  const { hasText, within } = control
  const found = findBase(within === undefined ? page : findControl(page, within), control)
  return hasText === undefined ? found : found.filter({ hasText })
}

function findBase(place: Page | Locator, { by, role = '', name, isExact = false }: FoundBy): Locator {
  const options = { exact: isExact }
  const text = name ?? ''
  switch (by) {
    case 'role':
      return place.getByRole(role, { ...options, ...(name !== undefined && { name }) })
    case 'testid':
      return place.getByTestId(text)
    case 'label':
      return place.getByLabel(text, options)
    case 'placeholder':
      return place.getByPlaceholder(text, options)
    case 'text':
      return place.getByText(text, options)
    case 'alt':
      return place.getByAltText(text, options)
    case 'title':
      return place.getByTitle(text, options)
    default:
      return by satisfies never
  }
}
