const head =
  '## Purpose\nFor whoever writes specs in a form that is odd, and still one that the tool takes.\n\n## Requirements\n\n'

/** Scenarios below one requirement, in a spec that has all else. */
function specOf(scenarios: string): string {
  return `# a\n\n${head}### Requirement: One\nIt SHALL be.\n\n${scenarios}`
}

/** Specs as OpenSpec's users write them, each with something of its own. */
export const openspecDocuments: Readonly<Record<string, string>> = {
  usual: `# auth Specification

## Purpose
Lets customers log in and out of the shop, and keeps everybody else out of their accounts.

## Requirements

### Requirement: Log In
The system SHALL log a customer in who gives the right password.

#### Scenario: Right password
- **GIVEN** a customer with the password tulip
- **WHEN** she logs in with it
- **THEN** the page welcomes her
- **AND** there is a link to her orders

#### Scenario: Wrong password
- **WHEN** somebody logs in with another password
- **THEN** the page refuses it:
  - it says that name or password is wrong
  - it does not say which

### Requirement: Log Out
The system MUST log out whoever asks for it.

#### Scenario: Success
- **WHEN** a customer logs out
- **THEN** the header offers to log in
`,
  'plain words, code and a table': `# export

## Purpose

What the command \`export\` writes, for whoever reads it with other programs. It is long enough.

## Requirements

### Requirement: Formats
The command SHALL write CSV.

| format | by |
| ------ | -- |
| #### Scenario: none | \`csv\` |

\`\`\`markdown
### Requirement: Not one
#### Scenario: Not one
- **THEN** nothing
\`\`\`

#### Scenario: A file
GIVEN a list of three
WHEN it is exported
THEN the file has four lines
AND the first one names the columns,
which are in English

##### Note
More of it.

#### Scenario: Empty
WHEN nothing is there
THEN there is one line

## Notes

### About it
Nothing else.
`,
  'other levels': `## Purpose
For whoever writes headings of other levels than most, but well enough to be read by the tool.

# Requirements

## The system SHALL take this for a requirement

### First ###
* **When** it is read
* **Then** it is one

### Second
1. **WHEN** it is read
2. **THEN** it is another
`,
  'without a scenario': `# a

## Purpose
It has a requirement that nobody can try out, because there is no scenario for it.

## Requirements

### Requirement: Nothing
The system SHALL do nothing.

### Requirement: Empty
The system SHALL be empty.

#### Scenario: Header alone

### Requirement: Empty
`,
  'a change in the wrong place': `# a

## Purpose
It holds a section of a change, which OpenSpec does not take here, and a requirement that is lost.

## Requirements

### Requirement: One
It SHALL be.

#### Scenario: So
- WHEN asked
- THEN it is

## ADDED Requirements

### Requirement: Two
It SHALL be, too.

#### Scenario: So
- WHEN asked
- THEN it is
`,
  'line ends of Windows, and a byte order mark':
    `\uFEFF${specOf('#### Scenario: So\n- **WHEN** asked\n- **THEN** it is\n')}`.replaceAll('\n', '\r\n'),
  'line ends of old': specOf('#### Scenario: So\n- **WHEN** asked\n- **THEN** it is\n').replaceAll('\n', '\r'),
  tabs: specOf('####\tScenario:\tSo\t\n-\t**WHEN**\tasked\n-\t**THEN**\tit is\n\t-\tand stays\n'),
  'blank lines of spaces': specOf('#### Scenario: So\n  \n\t\n- **THEN** it is\n   \n#### Scenario: Nothing\n  \n\t\n'),
  'nested bullets': specOf(
    '#### Scenario: So\n- **WHEN** asked\n  - by anybody\n    - **THEN** nothing deeper\n- **THEN** it is:\n  - here\n    1. first\n    2. second\n  - there\n- **AND** it stays\n',
  ),
  'lists with numbers': specOf(
    '#### Scenario: So\n1. **GIVEN** one\n2) **WHEN** asked\n10. **THEN** it is\n11) **AND** it stays\n',
  ),
  'fences with headings inside': specOf(
    '#### Scenario: So\n- **WHEN** this is read:\n\n  ~~~markdown\n#### Scenario: None\n```\n### Requirement: None\n  ~~~\n\n- **THEN** it is code\n\n````\n#### Scenario: None\n```\n## Requirements\n````\n\n#### Scenario: Behind\n- **THEN** it is one\n',
  ),
  'a fence that nobody closes': specOf(
    '#### Scenario: So\n- **THEN** it is\n\n```\n#### Scenario: None\n- **THEN** it is not\n',
  ),
  'comments with scenarios inside': specOf(
    '#### Scenario: So\n- **THEN** it is\n\n<!-- #### Scenario: None -->\n\n<!--\n#### Scenario: In lines of its own\n- **THEN** OpenSpec takes it for one\n-->\n\n#### Scenario: Behind\n- **THEN** it is one\n',
  ),
  'tables and quotes': specOf(
    '#### Scenario: So\n- **THEN** it prints:\n\n| **THEN** | AND |\n| -------- | --- |\n| # one    | ### Requirement: None |\n\n> #### Scenario: None\n> - **THEN** nothing\n\n#### Scenario: Behind\n- **THEN** it is one\n',
  ),
  'words without marks': specOf(
    '#### Scenario: So\n- Given one\n- When it is asked,\n  then asked again\n- Then it is\n- And stays so,\n  When it is asked once more, too\n- But not for ever\n\n#### Scenario: In prose\nIf it is asked, it is.\nthen nothing else happens\n',
  ),
  'nothing but an outcome': specOf('#### Scenario: So\n- **THEN** it is\n'),
  'other languages': `# корзина

## Purpose
Корзина хранит то, что покупатель хочет купить, пока он не заплатит или не передумает.

## Requirements

### Requirement: Наполнить корзину 🛒
Магазин SHALL класть товар в корзину.

#### Scenario: Erster Becher — größer
- **WHEN** eine Kundin den Becher hineinlegt
- **THEN** „ein Becher“ steht da

#### Scenario: 二つ目のカップ
- **WHEN** もう一つ入れる
- **THEN** 二つある

#### سيناريو: كوب
- **THEN** هنا
`,
  'equal titles': `# a

${head}### Requirement: One
It SHALL be one.

#### Scenario: Same
- **THEN** it is one

#### Scenario: Same
- **THEN** it is still one

### Requirement: Two
It SHALL be two.

#### Scenario: Same
- **THEN** it is two
`,
  'signs behind headings': `# a #

## Purpose ##
This closes each of its headings as they are opened, which the tool reads as a part of the title.

## Requirements

### Requirement: One ###
It SHALL be.

#### Scenario: So ####
- **THEN** it is

#### Scenario: C #
- **THEN** it is
`,
  'headings that are underlined': specOf(
    'Scenario: None\n--------------\n- **THEN** nothing\n\nNone\n====\n\n#### Scenario: So\n- **THEN** it is\n',
  ),
  'headings that are indented': specOf(
    '#### Scenario: So\n- **THEN** it is\n\n #### Scenario: One\n- **THEN** it is the same\n\n   ### Requirement: Three\nIt SHALL not be.\n',
  ),
  'headings without a space, or too deep': specOf(
    '####Scenario: None\n####### Scenario: None\n#### \n####\n\n#### Scenario: So\n- **THEN** it is\n\n##### Scenario: Below\n- **THEN** it is the same\n',
  ),
  'scenarios beside requirements': `# a

${head}#### Scenario: Of none
- **THEN** OpenSpec takes it for a requirement

### Requirement: One
It SHALL be.

#### Scenario: So
- **THEN** it is

### Scenario: Of the same level
It SHALL be one of its own.

#### Scenario: So
- **THEN** it is
`,
  'a second section of requirements': `# a

${head}### Requirement: One
It SHALL be.

#### Scenario: So
- **THEN** it is

## Requirements

### Requirement: Two
It SHALL be, too.

#### Scenario: So
- **THEN** it is
`,
  'headings without a title': specOf(
    '#### Scenario: So\n- **THEN** it is\n\n##\t\n- **THEN** this is of none\n\n#### Scenario: Nothing\n# \n- **THEN** this, too\n\n#### Scenario: Behind\n- **THEN** it is one\n',
  ),
  'a heading without a title below a requirement': `# a\n\n${head}### Requirement: One\n#### \nIt SHALL be.\n\n#### Scenario: So\n- **THEN** it is\n`,
  empty: '',
}

/** A spec of 1,000 scenarios. */
export const hugeSpec = `# a\n\n${head}${Array.from(
  { length: 20 },
  (_, one) =>
    `### Requirement: R${one}\nIt SHALL be ${one}.\n\n${Array.from(
      { length: 50 },
      (__, two) => `#### Scenario: S${two}\n- **WHEN** asked\n- **THEN** it is ${two}\n- **AND** nothing else\n`,
    ).join('\n')}`,
).join('\n')}`
