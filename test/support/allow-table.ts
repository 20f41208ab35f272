type Verdict = 'allowed' | 'refused'

/** A command, and what the rules of its table say of it. */
export interface AllowRow {
  readonly command: string
  readonly verdict: Verdict
  /** What Claude Code's own matcher says where it says something else, and why mdtest does not follow. */
  readonly claude?: { readonly verdict: Verdict; readonly why: string }
}

/** Rules that are given together. */
export interface AllowTable {
  readonly allow: readonly string[]
  readonly rows: readonly AllowRow[]
}

/** Programs of the table. Each prints `ran` and its name. They are looked for on PATH, in a folder of their own. */
export const tablePrograms = 'npm yarn docker jest mycli cargo go pnpm shop prod tool make'.split(' ')

/** Files of the directory in which the commands run. */
export const tableFiles: Readonly<Record<string, string>> = {
  'notes.txt': 'one\ntwo\n',
  'notes.mjs': 'console.log("ran notes")\n',
  'sub/deep.txt': 'deep\n',
}

const allowed = (command: string): AllowRow => ({ command, verdict: 'allowed' })
const refused = (command: string): AllowRow => ({ command, verdict: 'refused' })
/** Refused by mdtest alone. */
const stricter = (command: string, why: string): AllowRow => ({
  command,
  verdict: 'refused',
  claude: { verdict: 'allowed', why },
})
/** Allowed by mdtest alone. */
const laxer = (command: string, why: string): AllowRow => ({
  command,
  verdict: 'allowed',
  claude: { verdict: 'refused', why },
})

const code = 'code of the agent shows nothing of the product'
const analysed = 'Claude Code asks where it cannot tell what runs; mdtest judges each command inside'
const ownText = 'a text of the agent, which a product may only repeat'
const plain = 'a variable that names no option and no file leads no program elsewhere'
const looks = 'it only looks or computes, and proves nothing'
const steering = 'it decides what later commands mean or load'
const unknown = 'which file it names cannot be known'

/** What `allow` means, for every agent: run through Claude Code's own matcher and through mdtest's. */
export const allowTables: readonly AllowTable[] = [
  {
    allow: [
      'Bash(npm run test:*)',
      'Bash(yarn *)',
      'Bash(docker * ls)',
      'Bash(jest*)',
      'Bash(mycli show)',
      'Bash(mycli * --json)',
      'Bash(cargo test && cargo build)',
      'Bash(timeout 5 go *)',
      'Bash(CI=1 pnpm *)',
      'Bash(shop "a b" *)',
      'Bash(prod list *)',
      'Bash(tool)',
      'Bash(node *)',
      'Bash(bash *)',
      'Bash(cat *)',
      'Bash(cd *)',
      'Bash(export *)',
      'Bash(eval *)',
      'Read(//srv/**)',
      'mcp__mdtest__run',
    ],
    rows: [
      // Rules.
      allowed('npm run test'),
      allowed('npm run test a b'),
      refused('npm run test:unit'),
      refused('npm run tests'),
      refused('npm run'),
      allowed('yarn'),
      allowed('yarn  add   x'),
      refused('yarnx'),
      allowed('docker x ls'),
      allowed('docker x y ls'),
      refused('docker ls'),
      refused('docker x lsx'),
      allowed('jest --version'),
      allowed('jest a'),
      allowed('mycli show'),
      refused('mycli show a'),
      allowed('mycli show --json'),
      refused('mycli --json'),
      refused('mycli show --json a'),
      allowed('cargo test && cargo build'),
      refused('cargo test'),
      allowed('timeout 5 go test'),
      refused('timeout 6 go test'),
      refused('go test'),
      allowed('CI=1 pnpm i'),
      refused('CI=2 pnpm i'),
      allowed('shop "a b" c'),
      refused("shop 'a b' c"),
      refused('make'),
      refused('Prod list'),
      refused('/usr/bin/prod list'),
      // Words.
      allowed('"prod" list a'),
      allowed('\\prod list a'),
      refused('"prod list" a'),
      refused('prod "list" a'),
      allowed('prod list "$HOME" # all'),
      laxer('prod list $ID', analysed),
      laxer('prod list {a,b}', analysed),
      // Several commands.
      allowed('prod list a && prod list b'),
      refused('prod list a && prod add'),
      allowed('prod list a | head -n 1 | wc -l'),
      refused('prod list a | prod add'),
      refused('prod list a; prod add'),
      refused('prod list a\nprod add'),
      refused('prod list a & prod add'),
      allowed('prod list a || true'),
      allowed('if true; then prod list; fi'),
      refused('if true; then prod add; fi'),
      laxer('for id in 1 2; do prod list $id; done', analysed),
      refused('for id in 1 2; do prod add $id; done'),
      laxer('(prod list a)', analysed),
      refused('(prod add)'),
      laxer('{ prod list a; }', analysed),
      laxer('prod list $(prod list b)', analysed),
      refused('prod list $(prod add)'),
      refused('prod list "`prod add`"'),
      refused('prod list <(prod add)'),
      laxer('prod list &', 'a service of the product has to be started; it ends with the scenario'),
      // What stands before a command.
      allowed('timeout 5 prod list'),
      allowed('timeout -k 1 5s nice -n 3 nohup prod list'),
      allowed('time prod list'),
      stricter('command prod list', plain),
      allowed('xargs prod list < notes.txt'),
      refused('xargs tool < notes.txt'),
      refused('sudo prod list'),
      laxer('env prod list', analysed),
      allowed('LANG=C NO_COLOR=1 tool'),
      refused('LD_PRELOAD=/x tool'),
      refused('NODE_OPTIONS=--no-warnings tool'),
      refused('HOME=/x tool'),
      laxer('FOO=1 tool', plain),
      refused('PATH=/x:$PATH tool'),
      // Looking.
      allowed('ls -la sub && pwd && echo done'),
      allowed('grep -rn one . | sort | uniq -c'),
      allowed('cat < notes.txt'),
      refused('cat /etc/hostname'),
      refused('cat ../x'),
      refused('ls /etc'),
      refused('cd /'),
      refused('cat /proc/self/environ'),
      refused('find . -delete'),
      laxer('find . -exec cat {} \\;', looks),
      laxer("awk '{print $1}' notes.txt", looks),
      allowed('sed -n 1p notes.txt'),
      refused("sed 'w x' notes.txt"),
      laxer('env', looks),
      laxer('for f in *.txt; do cat "$f"; done', looks),
      refused('cat "$FILE"'),
      // Writing.
      allowed('prod list > out.txt 2>&1'),
      allowed('mkdir made && rmdir made'),
      refused('prod list > ../out.txt'),
      refused('prod list > $OUT'),
      refused('cp notes.txt /tmp/mdtest-nosuch/x'),
      refused('dd if=notes.txt of=x'),
      laxer('prod list | tee out.txt', 'the same as a redirection'),
      // Code, and what changes the shell.
      allowed('node notes.mjs a'),
      stricter('node -e 1', code),
      stricter('node -p 1 | head -n 1', code),
      stricter('timeout 5 node --eval=1', code),
      stricter('echo 1 | node', code),
      stricter('echo 1 | node -', code),
      stricter('node <<< 1', ownText),
      allowed('cat <<< words'),
      allowed('grep -c words <<< words'),
      allowed("bash -c 'echo words'"),
      refused('node $FILE'),
      refused('$(echo prod) list'),
      refused('p{r,}od list'),
      refused('prod() { echo words; }'),
      refused('eval prod list'),
      refused('alias prod=echo'),
      refused('exec prod list'),
      laxer('set -e; prod list', looks),
      stricter('export PATH=/x:/bin', steering),
      allowed('export ID=1'),
      refused('prod list "'),
      stricter('if prod list; then', 'bash cannot read it'),
    ],
  },
  {
    allow: ['Bash'],
    rows: [
      allowed('make && (prod add) & wait'),
      allowed('for id in 1 2; do prod add $id; done > /dev/null'),
      stricter('node -e 1', code),
      allowed("bash -c 'echo words'"),
      allowed('cat <<EOF | prod add\nwords\nEOF'),
      stricter('eval prod add', code),
      stricter('alias prod=echo', steering),
      stricter('prod() { echo words; }', steering),
      stricter('PATH=/x:$PATH prod add', steering),
      stricter('$(echo prod) add', unknown),
      stricter('prod add > /tmp/mdtest-nosuch', 'it is neither in `writes` nor in the scratch folder'),
    ],
  },
  { allow: ['Bash(*)'], rows: [allowed('make'), stricter('node -e 1', code)] },
]
