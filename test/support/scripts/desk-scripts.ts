import { call, click, fill, open, see, use, type BrowserScript } from './browser-moves.ts'

/** What is done at the desk of `fixtures/desk`, by the name of a spec: its steps in words, and how a tester does them. */
export interface DeskScenario {
  readonly steps: readonly string[]
  readonly script: BrowserScript
}

const accept = call('browser_handle_dialog', { accept: true })

const deskScenarios: Readonly<Record<string, DeskScenario>> = {
  todo: {
    steps: ['Add the task Milk. One task is open.', 'Add the task Bread. Two are open.', 'Tick off Bread.'],
    script: [
      [open('/todo'), fill('New task', 'Milk', { submit: true }), see(/^status.*: 1 open/)],
      [fill('New task', 'Bread'), click('button', 'Add'), see(/^status.*: 2 open/)],
      [click('checkbox', 'Bread'), see(/^status.*: 1 open/)],
    ],
  },
  stock: {
    steps: ['Remove the bread from the stock.'],
    script: [[open('/stock'), click('button', 'Remove', 'Bread'), see(/^status.*: 2 kinds, 8 pieces/)]],
  },
  fruit: {
    steps: ['Sell the pears.', 'Sell the plums.'],
    script: [
      [open('/fruit'), click('button', 'Sell', 'Pears'), see(/^status.*: Pears are sold/)],
      [click('button', 'Sell', 'Plums'), see(/^status.*: Plums are sold/)],
    ],
  },
  addresses: {
    steps: ['Set the street for shipping to Long Lane 4.'],
    script: [
      [
        open('/addresses'),
        fill('Street', 'Long Lane 4', { below: 'region "Shipping"' }),
        click('button', 'Save', 'region "Shipping"'),
        see(/^status.*: Shipping goes to Long Lane 4/),
      ],
    ],
  },
  contact: {
    steps: ['Send a message as Ada, ada@example.org.'],
    script: [
      [
        open('/contact'),
        fill('Name', 'Ada'),
        fill('Mail', 'ada@example.org'),
        click('button', 'Send'),
        see(/^heading "Thank you, Ada"/),
        see(/^paragraph.*: We answer to ada@example\.org\./),
      ],
    ],
  },
  settings: {
    steps: ['Set colour green, volume 7, size large, with the newsletter, and save.'],
    script: [
      [
        open('/settings'),
        use('browser_select_option', { role: 'combobox', name: 'Colour' }, { values: ['green'] }),
        fill('Volume', '7', { role: 'slider' }),
        click('radio', 'Large'),
        click('checkbox', 'Newsletter'),
        click('button', 'Save'),
        see(/^status.*: "?Saved: green, 7, large, on/),
      ],
    ],
  },
  danger: {
    steps: ['Delete all papers, and say yes.', 'Rename the desk to Zoe.'],
    script: [
      [open('/danger'), click('button', 'Delete all'), accept, see(/^status.*: All papers are deleted/)],
      [
        click('button', 'Rename'),
        call('browser_handle_dialog', { accept: true, promptText: 'Zoe' }),
        see(/^status.*: Renamed to Zoe/),
      ],
    ],
  },
  upload: {
    steps: ['Upload paper.txt.'],
    script: [
      [
        open('/upload'),
        click('button', 'Paper'),
        call('browser_file_upload', { paths: ['paper.txt'] }),
        see(/^status.*: paper\.txt, 6 bytes/),
      ],
    ],
  },
  login: {
    steps: ['Log in as ann with the password tulip.'],
    script: [
      [
        open('/login'),
        fill('Name', 'ann'),
        fill('Password', 'tulip', { submit: true }),
        see(/^heading "Welcome, ann"/),
        see(/^paragraph.*Last login/),
      ],
    ],
  },
  slow: {
    steps: ['Load the report.'],
    script: [
      [
        open('/slow'),
        click('button', 'Load the report'),
        call('browser_wait_for', { text: 'Report ready' }),
        see(/^status.*: "?Report ready: 42 rows/),
      ],
    ],
  },
  clock: {
    steps: ['Open the clock. It shows the day.', 'Stamp the desk.'],
    script: [
      [open('/clock'), see(/^paragraph.*Desk of|^time/)],
      [click('button', 'Stamp'), see(/^status.*Stamped by Ada on/)],
    ],
  },
  buy: {
    steps: ['Order three papers.'],
    script: [
      [
        open('/buy'),
        fill('Count', '3', { role: 'spinbutton' }),
        click('button', 'Order'),
        see(/^status.*Order \w+ is placed/),
        see(/^paragraph.*To pay: €12\.60/),
      ],
    ],
  },
  search: {
    steps: ['Search for tea.'],
    script: [
      [
        open('/search'),
        fill('Search for', 'tea', { role: 'searchbox', submit: true }),
        see(/^status.*: 2 results/),
        see(/^listitem.*: Tea spoon/),
      ],
    ],
  },
  tabs: {
    steps: ['Look at the details.'],
    script: [[open('/tabs'), click('tab', 'Details'), see(/^tabpanel.*: "?Weight: 80 g/)]],
  },
  menu: {
    steps: ['Export the papers by the menu.'],
    script: [
      [
        open('/menu'),
        use('browser_hover', { role: 'button', name: 'File' }),
        click('menuitem', 'Export'),
        see(/^status.*: Exported 3 papers/),
      ],
    ],
  },
  board: {
    steps: ['Drag the letter to what is done.'],
    script: [
      [
        open('/board'),
        call('browser_drag', {
          startElement: 'letter',
          startTarget: "getByRole('listitem', { name: 'Write a letter' })",
          endElement: 'done',
          endTarget: "getByRole('region', { name: 'Done' })",
        }),
        see(/^status.*: "?Done: 1 card/),
      ],
    ],
  },
  list: {
    steps: ['Open the letter.', 'Go back to the papers.'],
    script: [
      [open('/list'), click('link', 'Letter'), see(/^paragraph.*: Dear Ada/)],
      [call('browser_navigate_back'), see(/^paragraph.*: 2 papers/)],
    ],
  },
  wizard: {
    steps: ['Choose the size.', 'Choose the colour.', 'Choose the paper.'],
    script: [
      [open('/wizard'), click('button', '»'), see(/^paragraph.*: "?Step 2 of 3: colour/)],
      [click('button', '»'), see(/^paragraph.*: "?Step 3 of 3: paper/)],
      [click('button', '»'), see(/^paragraph.*: All set/)],
    ],
  },
  notes: {
    steps: ['Write a note and keep it with Control and Enter.'],
    script: [
      [
        open('/notes'),
        fill('Note', 'Buy ink'),
        call('browser_press_key', { key: 'Control+Enter' }),
        see(/^status.*: Kept 7 letters/),
      ],
    ],
  },
  desk: {
    steps: ['Open the desk.', 'Open the papers.'],
    script: [
      [open('/'), see(/^heading "Desk"/)],
      [click('link', 'Papers'), see(/^heading "Papers"/), see(/^paragraph.*: 2 papers/)],
    ],
  },
}

/** The spec of a scenario, for a desk at this address. */
export function deskSpec(
  name: string,
  { baseUrl, more = '' }: { readonly baseUrl: string; readonly more?: string },
): string {
  const steps = deskScenarios[name]?.steps ?? []
  const sections = steps.map((step, index) => `## ${step.split(/[.,]/)[0] ?? index}\n\n${step}\n`)
  return `---\nbase-url: ${baseUrl}\n${more}---\n\n# The ${name}\n\n${sections.join('\n')}`
}

/** By the name of the spec. */
export const deskScripts: Readonly<Record<string, BrowserScript>> = Object.fromEntries(
  Object.entries(deskScenarios).map(([name, { script }]) => [name, script]),
)

/** Blocks of the steps of the spec `danger`, as they are recorded. */
export const dangerRecorded: readonly string[] = [
  `\`\`\`ts browser
await page.goto('/danger');
await page.getByRole('button', { name: 'Delete all' }).click();
await dialog.accept();
await see('status: All papers are deleted');
\`\`\``,
  `\`\`\`ts browser
await page.getByRole('button', { name: 'Rename' }).click();
await dialog.accept('Zoe');
await see('status: Renamed to Zoe');
\`\`\``,
]
