import { allow, runs, sh, specOf, type RecordedScenario } from './scenario.ts'

const cart = `import { existsSync, readFileSync, writeFileSync } from 'node:fs'
const prices = { tea: 350, rice: 180, figs: 420 }
const all = existsSync('cart.json') ? JSON.parse(readFileSync('cart.json', 'utf8')) : []
const [command, name] = process.argv.slice(2)
if (command === 'put') {
  all.push(name)
  writeFileSync('cart.json', JSON.stringify(all))
  console.log('put ' + name + ' for ' + (prices[name] / 100).toFixed(2))
} else console.log(all.length + ' in the cart, ' + (all.reduce((sum, one) => sum + prices[one], 0) / 100).toFixed(2))
`

/** Parts of specs. */
export const specParts: readonly RecordedScenario[] = [
  {
    name: 'services',
    files: {
      'services/server.mjs':
        "import { createServer } from 'node:http'\nimport { writeFileSync, renameSync } from 'node:fs'\nlet hits = 0\nconst server = createServer((request, response) => response.end(JSON.stringify({ hits: (hits += 1), path: request.url }) + '\\n'))\nserver.listen(0, '127.0.0.1', () => { writeFileSync('port.tmp', String(server.address().port)); renameSync('port.tmp', 'port.txt') })\n",
    },
    spec: `---\ncwd: copy\nnetwork: true\n${allow}\n---\n\n# Scenario\n\n## Setup\n\n\`\`\`sh run background wait=file:port.txt timeout=30s\nexec node services/server.mjs\n\`\`\`\n\n## Ask twice\n\nThe server counts.\n\n## Ask again\n\nIt still counts.\n`,
    acts: {
      'Ask twice': runs(
        'port="$(cat port.txt)"; curl -s "http://127.0.0.1:$port/one"',
        'curl -s "http://127.0.0.1:$port/two"',
      ),
      'Ask again': runs('port="$(cat port.txt)"', 'curl -s "http://127.0.0.1:$port/three"'),
    },
    bug: { file: 'services/server.mjs', from: 'hits += 1', to: 'hits = 1' },
    harmless: { file: 'services/server.mjs', from: 'let hits = 0', to: "console.error('up')\nlet hits = 0" },
  },
  {
    name: 'sections',
    files: { 'sections/cart.mjs': cart },
    spec: `---\ncwd: copy\n${allow}\n---\n\n# First scenario\n\n## Setup\n\n\`\`\`sh run\nnode sections/cart.mjs put figs\n\`\`\`\n\n## Group\n\n### Put tea\n\nTea is in the cart.\n\n### Put rice\n\nRice is in the cart.\n\n## Look\n\nThree are in the cart.\n\n## Teardown\n\n\`\`\`sh run\nrm cart.json\n\`\`\`\n\n# Second scenario\n\n## Put tea again\n\nTea is alone.\n`,
    acts: {
      'Put tea': runs('node sections/cart.mjs put tea'),
      'Put rice': runs('node sections/cart.mjs put rice'),
      Look: runs('node sections/cart.mjs'),
      'Put tea again': runs('node sections/cart.mjs put tea', 'node sections/cart.mjs'),
    },
    bug: { file: 'sections/cart.mjs', from: 'sum + prices[one]', to: 'prices[one]' },
    harmless: { file: 'sections/cart.mjs', from: 'figs: 420', to: 'figs: 420, dates: 500' },
  },
  {
    name: 'rows',
    files: { 'rows/cart.mjs': cart },
    spec: specOf({
      'Put <name>':
        'Put <name> into the cart: it costs <price>.\n\n### Examples\n\n| name | price |\n| ---- | ----- |\n| tea  | 3.50  |\n| rice | 1.80  |\n| figs | 4.20  |',
      'Look at all': 'The cart has all of them.',
    }),
    acts: {
      *'Put <name>'({ name = '' }) {
        return [yield* sh(`node rows/cart.mjs put ${name}`)]
      },
      'Look at all': runs('node rows/cart.mjs'),
    },
    bug: { file: 'rows/cart.mjs', from: 'rice: 180', to: 'rice: 190' },
  },
  {
    name: 'sub-folder',
    files: { 'packages/shop/cart.mjs': cart, 'packages/shop/package.json': '{ "name": "shop" }\n' },
    spec: `---\ncwd: packages/shop\n${allow}\nwrites: ['packages/shop/cart.json']\n---\n\n# Scenario\n\n## Setup\n\n\`\`\`sh run\nrm -f cart.json\n\`\`\`\n\n## Fill the cart\n\nTwo are in the cart.\n\n## Teardown\n\n\`\`\`sh run\nrm -f cart.json\n\`\`\`\n`,
    acts: { 'Fill the cart': runs('node cart.mjs put tea && node cart.mjs put rice', 'node cart.mjs') },
    bug: { file: 'packages/shop/cart.mjs', from: "all.length + ' in", to: "'1 in" },
    harmless: { file: 'packages/shop/package.json', from: '"name": "shop"', to: '"name": "shop", "version": "2.0.0"' },
  },
  {
    name: 'fresh-folder',
    files: { 'fresh/cart.mjs': cart },
    spec: specOf({ 'Fill the cart': 'One is in the cart.' }).replace('cwd: copy', 'cwd: temp'),
    acts: {
      *'Fill the cart'({ specDir = '' }) {
        const product = `"${specDir.replace(/[$"]/g, String.raw`\$&`)}/fresh/cart.mjs"`
        yield* sh(`node ${product} put figs`)
        return [yield* sh(`node ${product}`)]
      },
    },
    bug: { file: 'fresh/cart.mjs', from: "writeFileSync('cart.json'", to: "writeFileSync('cart.js'" },
  },
  {
    name: 'checks-and-verify',
    files: { 'verify/cart.mjs': cart },
    spec: specOf({
      'Fill the cart':
        'Put tea and figs into the cart.\n\n- [ ] The cart has two.\n- [ ] They cost 7.70.\n\n```console verify\n$ cat cart.json\n["tea","figs"] (no-eol)\n```',
    }),
    acts: {
      'Fill the cart': runs('node verify/cart.mjs put tea; node verify/cart.mjs put figs', 'node verify/cart.mjs'),
    },
    bug: { file: 'verify/cart.mjs', from: 'JSON.stringify(all)', to: 'JSON.stringify([...all].sort())' },
    told: 'VERIFY_FAILED',
    harmless: { file: 'verify/cart.mjs', from: 'import { existsSync', to: '// The cart.\nimport { existsSync' },
  },
]
