import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen, type Listening } from './listen.ts'

const pages: Readonly<Record<string, string>> = {
  '/': '<h1>Start</h1>',
  // What is set off ends when its time comes; a reload in the meantime would cut it off.
  '/slow': `<button onclick="save()">Save</button><p role=status id=s></p>
    <script>async function save() { const r = await fetch('/count', { method: 'POST' }); s.textContent = 'Saved ' + await r.text() + ' times'; }</script>`,
  '/polls': `<button onclick="s.textContent = 'Clicked ' + ++n">Click</button><p role=status id=s></p>
    <script>let n = 0; (async () => { for (;;) await fetch('/forever?' + n).catch(() => new Promise((r) => setTimeout(r, 50))) })();
    new EventSource('/events'); fetch('/forever-too')</script>`,
  '/pictures': '<h1>Pictures</h1><img alt="A cat" src="/forever-picture">',
  '/tab': '<a href="/" target="_blank">Open</a>',
  '/late-dialog': `<button onclick="setTimeout(() => { s.textContent = prompt('Name?', 'x') }, 300)">Ask</button><p role=status id=s></p>`,
  '/names': `<ul aria-label="Cart"><li>Milk <button>Remove</button></li><li>Bread <button>Remove</button></li></ul>
    <p>Order 10</p><p>Order 11</p><p>Mit geschütztem&nbsp;Leerzeichen</p><button disabled>Locked</button><input placeholder="日本語" title="“quoted”">`,
  '/drag': `<style>div { width: 100px; height: 50px }</style><div role=button aria-label=A draggable=true>A</div>
    <div role=region aria-label=Bin ondragover="event.preventDefault()" ondrop="s.textContent='Dropped'">Bin</div><p role=status id=s></p>`,
  '/form': `<form onsubmit="event.preventDefault(); s.textContent = [...new FormData(this).entries()].filter(([, v]) => typeof v === 'string').map((e) => e.join('=')).join(' ')">
    <label>Size <select multiple name=size><option>S<option>M<option>L</select></label><label><input type=checkbox name=news> News</label>
    <input data-testid=code name=code><button>Send</button></form>
    <button onclick="const i = document.createElement('input'); i.type = 'file'; i.onchange = () => { s.textContent = i.files[0].name }; i.click()">Choose</button>
    <p role=status id=s></p>`,
  '/frame': '<h1>Outside</h1><iframe title="Inside" srcdoc="<p role=status>In the frame</p>"></iframe>',
  '/broken': `<h1>Broken</h1><script>fetch('/gone').then(() => { console.error('no till'); throw new Error('no drawer') })</script>`,
  '/hangs': '<h1>Hangs</h1><button onclick="for (;;) {}">Hang</button>',
  '/cookie': `<p role=status id=s></p><script>s.textContent = document.cookie || 'no cookie'; document.cookie = 'seen=1'</script>`,
}

/** Pages that are hard to wait for. */
export async function startOddPages(): Promise<Listening> {
  let count = 0
  const server = createServer(async ({ url = '/' }, response: ServerResponse) => {
    const [path = '/'] = url.split('?')
    if (path.startsWith('/forever')) return
    if (path === '/events')
      return void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': x\n\n')
    if (path === '/count') {
      await sleep(400)
      // Who went away has saved nothing.
      if (response.destroyed) return
      count += 1
      return void response.end(String(count))
    }
    const page = pages[path]
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><title>${path}</title>${page ?? '<h1>No such page</h1>'}`)
  })
  return listen(server)
}
