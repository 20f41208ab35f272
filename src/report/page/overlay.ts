import { element } from './element.ts'

/** Shows screenshots large, one after the other, each in its full size on a click. */
export function createOverlay(rows: HTMLElement): void {
  const image = element('img', { alt: '' })
  const zoom = element('button', { type: 'button', class: 'zoom', 'aria-label': 'Full size' }, image)
  const title = element('span', { class: 'title' })
  const count = element('span', { class: 'count' })
  const previous = element('button', { type: 'button', 'aria-label': 'Previous screenshot' }, '←')
  const next = element('button', { type: 'button', 'aria-label': 'Next screenshot' }, '→')
  const close = element('button', { type: 'button', 'aria-label': 'Close' }, '×')
  const file = element('a', { target: '_blank', rel: 'noopener' }, 'Open the file')
  const bar = element('div', { class: 'bar' }, title, count, file, previous, next, close)
  const dialog = element('dialog', { id: 'overlay', 'aria-label': 'Screenshot' }, bar, zoom)

  let shots: readonly HTMLAnchorElement[] = []
  let at = 0
  const scale = (isFull: boolean): void => {
    dialog.classList.toggle('full', isFull)
    zoom.setAttribute('aria-pressed', String(isFull))
  }
  const show = (index: number): void => {
    const shot = shots[index]
    if (shot === undefined) return
    at = index
    image.src = shot.href
    image.alt = shot.querySelector('img')?.alt ?? ''
    title.textContent = shot.dataset['title'] ?? ''
    count.textContent = `${index + 1} of ${shots.length}`
    file.href = shot.href
    previous.disabled = index === 0
    next.disabled = index === shots.length - 1
    scale(false)
  }
  previous.addEventListener('click', () => show(at - 1))
  next.addEventListener('click', () => show(at + 1))
  zoom.addEventListener('click', () => scale(!dialog.classList.contains('full')))
  close.addEventListener('click', () => dialog.close())
  // Beside what it holds.
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close()
  })
  dialog.addEventListener('keydown', (event) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: shots.length - 1 }[event.key]
    // What is shown in full is scrolled by the same keys.
    if (to === undefined || dialog.classList.contains('full')) return
    event.preventDefault()
    show(to)
  })
  rows.addEventListener('click', (event) => {
    const shot = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a.shot') : null
    // In a new tab it is the file itself.
    if (shot === null || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    shots = [...(shot.closest('.content') ?? rows).querySelectorAll<HTMLAnchorElement>('a.shot')]
    show(shots.indexOf(shot))
    // Before that it would be a picture of nothing.
    document.body.append(dialog)
    // The dialog gives the focus back to what has it; not every browser gives it to a link that is clicked.
    shot.focus()
    dialog.showModal()
    close.focus()
  })
}
