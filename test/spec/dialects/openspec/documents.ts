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
}
