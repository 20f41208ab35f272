/** A feature spec, and what is found in it. */
interface Example {
  readonly text: string
  /** By line: title and texts of the checks. */
  readonly scenarios: Readonly<Record<number, readonly [title: string, ...checks: string[]]>>
  /** By line. */
  readonly problems?: Readonly<Record<number, string>>
}

/** Feature specs as users of Spec Kit write them, each with something of its own. */
export const specKitDocuments: Readonly<Record<string, Example>> = {
  usual: {
    text: `# Feature Specification: Cart

**Feature Branch**: \`001-cart\`
**Status**: Draft

## User Scenarios & Testing *(mandatory)*

<!--
  Stories are in the order of their priority, as in:
  ### User Story 9 - None (Priority: P9)
  **Acceptance Scenarios**:
  1. **Given** nothing, **When** nothing, **Then** nothing
-->

### User Story 1 - Fill the cart (Priority: P1)

A visitor collects what she wants to buy.

**Why this priority**: without it nobody buys anything.

**Independent Test**: put one mug into the cart and look at the badge.

**Acceptance Scenarios**:

1. **Given** an empty cart, **When** the visitor adds a mug, **Then** the badge shows 1
2. **Given** a cart with a mug, **When** she adds another one (FR-002), **Then** the badge shows 2, **And** the total is 24

---

### User Story 2 - Pay (Priority: P2)

**Acceptance Scenarios**:

1. **Given** a cart with a mug, **When** the visitor adds a mug, **Then** she is asked for her address

### Edge Cases

- What if the mug is sold out?

## Requirements *(mandatory)*

### Functional Requirements

- **FR-001**: The cart MUST keep its content.
- **FR-002**: The cart MUST count equal mugs. **When** it counts, **Then** it adds.
`,
    scenarios: {
      25: ['the visitor adds a mug', 'the badge shows 1'],
      26: ['she adds another one (FR-002)', 'the badge shows 2', 'the total is 24'],
      34: ['the visitor adds a mug (2)', 'she is asked for her address'],
    },
  },
  'several lines, and bullets below them': {
    text: `# Feature Specification: Export

## User Scenarios & Testing

### User Story 1 - Export (Priority: P3)

**Acceptance Scenarios**:
1. **Given** a list
   of three,
   **When** it is exported
   to a file,
   **Then** the file has:
   - a line for the names
   - three lines
   **And** it ends with
   a line feed

2.  **Given** an empty list,
    **When** it is exported,

    **Then** the file has one line

    \`\`\`csv
    1. **Given** a, **When** b, **Then** c
    \`\`\`

3. Twice
   - **Given** a file of that name
   - **When** the list is exported
   - **Then** the command refuses
   - **And** the file stays as it was
`,
    scenarios: {
      8: ['it is exported to a file', 'the file has: a line for the names; three lines', 'it ends with a line feed'],
      18: ['it is exported', 'the file has one line'],
      27: ['Twice', 'the command refuses', 'the file stays as it was'],
    },
  },
  'bullets, and bold in other ways': {
    text: `# Feature Specification: Log in

### User Story 1: Log in [P1]

**Acceptance Scenarios:**

- **Given**: a customer, **When**: she logs in, **Then**: she is welcome
- **Given:** a customer, **When:** she forgets her password, **Then:** she gets a mail, **and** a link in it
- __Given__ a customer, __When__ she logs out, __Then__ she is gone

Some of these are new.

* *Given* a customer, *When* she types \`**Then**\`, *Then* nothing is **wrong**, *But* it is told
+ **GIVEN** a customer **WHEN** she waits **THEN** she is logged out **AND** told so
`,
    scenarios: {
      7: ['she logs in', 'she is welcome'],
      8: ['she forgets her password', 'she gets a mail', 'a link in it'],
      9: ['she logs out', 'she is gone'],
      13: ['she types **Then**', 'nothing is wrong', 'it is told'],
      14: ['she waits', 'she is logged out', 'told so'],
    },
  },
  'plain words': {
    text: `# Feature Specification: Log in

### User Story 1 - Log in

#### Acceptance Scenarios

1. Given a customer, when she logs in, then she is welcome, and when she returns, too
2. GIVEN a customer, WHEN she leaves, THEN she is gone AND forgotten
3. given nobody, when asked, then nothing
4. Given a customer
   When she logs in
   Then she is welcome
   And her orders are there
`,
    scenarios: {
      7: ['she logs in', 'she is welcome, and when she returns, too'],
      8: ['she leaves', 'she is gone', 'forgotten'],
      9: ['asked', 'nothing'],
      10: ['she logs in (2)', 'she is welcome', 'her orders are there'],
    },
  },
  'a list item for each clause': {
    text: `# Feature Specification: Log in

### User Story 1 - Log in (Priority: P1)

**Acceptance Scenarios**:

- **Given** a customer
- **When** she logs in
- **Then** she is welcome
- **And** her orders are there

- **Given** nobody
- **When** asked
- **Then** nothing
`,
    scenarios: {
      7: ['she logs in', 'she is welcome', 'her orders are there'],
      12: ['asked', 'nothing'],
    },
  },
  'the older form, and other levels': {
    text: `Feature Specification: Search
=============================

User Scenarios & Testing
------------------------

### Primary User Story
A reader looks for a book.

### Acceptance Scenarios
1. **Given** a shelf, **When** she looks for tulips, **Then** there are two books
2. Nothing is found for "xyz"

### Edge Cases
- **Given** a full shelf, **When** one is added, **Then** who knows?

### User Story 2 — Sort (P2)

### Acceptance Criteria

##### Names

1. **Given** two books, **When** sorted, **Then** A is before B

##### Dates

1. **Given** two books, **When** sorted, **Then** the new one is first

## Acceptance Scenarios

- [ ] **Given** no book, **When** sorted, **Then** nothing
- [x] It is fast

## Acceptance Criteria

- [ ] All tests pass
`,
    scenarios: {
      11: ['she looks for tulips', 'there are two books'],
      12: ['Nothing is found for "xyz"', 'Nothing is found for "xyz"'],
      23: ['sorted', 'A is before B'],
      27: ['sorted (2)', 'the new one is first'],
      31: ['sorted (3)', 'nothing'],
      32: ['It is fast', 'It is fast'],
    },
  },
  'requirements, tables and code within a story': {
    text: `# Feature Specification: Notes

### User Story 1 - Keep notes (Priority: P1) 🎯

| Step | **Given** a, **When** b, **Then** c |
| ---- | ----------------------------------- |
| 1.   | **Given** a, **When** b, **Then** c |

**Acceptance Scenarios** *(mandatory)*:

| 1. **Given** a | **Then** c |
| -------------- | ---------- |
| 1. **Given** a | **Then** c |

~~~markdown
1. **Given** a, **When** b, **Then** c
~~~

> 1. **Given** a, **When** b, **Then** c

1. **Given** a note, **When** it is read, **Then** it says \`milk\`
   <!-- **And** it sings -->
   <!--
   2. **Given** a, **When** b, **Then** c
   -->

**Functional Requirements**:

1. **FR-001**: A note **Given** MUST be kept, **Then** read.

**Edge Cases**:

- **Given** no note, **When** it is read, **Then** what?

#### Negative flows

1. Given a note, when it is lost, then it says so
`,
    scenarios: { 21: ['it is read', 'it says `milk`'] },
    problems: Object.fromEntries([7, 11, 13, 19, 37].map((line) => [line, 'unread-clause'])),
  },
  'the label is an item': {
    text: `# Feature Specification: Notes

## User Story 1

- **Story**: A reader keeps notes.
- **Acceptance Scenarios**:
  1. **Given** a note, **When** it is read, **Then** it is there
  2. **When** it is thrown away, **Then** it is gone
- **Requirements**:
  1. **FR-001**: Notes.
`,
    scenarios: { 7: ['it is read', 'it is there'], 8: ['it is thrown away', 'it is gone'] },
  },
  'labels without blank lines': {
    text: `# Feature Specification: Notes

### User Story 1 (Priority: P1)
A reader keeps notes.
**Acceptance Scenarios**:
1. **Given** a note, **When** it is read, **Then** it is there
2. **Given**: a list
   **Then**:
   - one
   **Saved**
**Edge Cases**:
- What if it is not?
**Acceptance Scenarios:**
- **When** it is thrown away, **Then** it is gone
__Requirements__:
- **FR-001**: Notes.
`,
    scenarios: {
      6: ['it is read', 'it is there'],
      7: ['one Saved', 'one Saved'],
      14: ['it is thrown away', 'it is gone'],
    },
  },
  'long and equal titles': {
    text: `# Feature Specification: Notes

### User Story 1 - Notes (Priority: P1)

**Acceptance Scenarios**:

1. **Given** a, **When** somebody who has never been here before and will not come again asks for the list of all notes, **Then** b
2. **Given** c, **When** asked, **Then** d
3. **Given** e, **When** asked, **Then** f
4. **Given** g, **Then** h
5. **Then** the rest
`,
    scenarios: {
      7: ['somebody who has never been here before and will not come again asks for the…', 'b'],
      8: ['asked', 'd'],
      9: ['asked (2)', 'f'],
      10: ['h', 'h', 'the rest'],
    },
  },
  'left open': {
    text: `# Feature Specification: [FEATURE NAME]

### User Story 1 - [Brief Title] (Priority: P1)

**Acceptance Scenarios**:

1. **Given** [initial state], **When** [action], **Then** [expected outcome]

### User Story 2 - Mails (Priority: P2)

A mail is sent. <!-- [NEEDS CLARIFICATION: not here] -->

### User Story 3 - Mails (Priority: P3)

**Acceptance Scenarios**:

1. **Given** a mail, **When** it is read [NEEDS CLARIFICATION: by whom?], **Then** it is old
2. **Given** \`[NEEDS CLARIFICATION: not here]\`, **When** it is read by [a link](x.md), **Then** [Save] is there

## Requirements

- **FR-001**: It MUST be sent by [NEEDS CLARIFICATION]
- [x] No [NEEDS CLARIFICATION] markers remain
`,
    scenarios: {
      7: ['[action]', '[expected outcome]'],
      17: ['it is read [NEEDS CLARIFICATION: by whom?]', 'it is old'],
      18: ['it is read by a link', '[Save] is there'],
    },
    problems: {
      1: 'spec-kit-placeholder',
      3: 'spec-kit-placeholder',
      7: 'spec-kit-placeholder',
      9: 'spec-kit-scenario',
      17: 'spec-kit-clarification',
      22: 'spec-kit-clarification',
    },
  },
  'lost in a paragraph': {
    text: `# Feature Specification: Notes

### User Story 1 - Notes (Priority: P1)

**Acceptance Scenarios**:
2. **Given** a, **When** b, **Then** c
3. **Given** d, **When** e, **Then** f

1. **Given** a, **When** b, **Then** c
     2. **Given** d, **When** e, **Then** f
`,
    scenarios: { 9: ['b', 'c', 'f'] },
    problems: { 6: 'spec-kit-scenario', 7: 'spec-kit-scenario', 10: 'spec-kit-scenario' },
  },
  'a comment that nobody closes ends with its item': {
    text: `# Feature Specification: Notes

### User Story 1 - Notes (Priority: P1)

**Acceptance Scenarios**:

1. **Given** a, **When** b, **Then** c
   <!-- **And** d
2. **Given** e, **When** f, **Then** g
`,
    scenarios: { 7: ['b', 'c'], 9: ['f', 'g'] },
    problems: { 8: 'swallowed-block' },
  },
  'no story': {
    text: '# Feature Specification: Notes\n\n## Requirements\n\n- **FR-001**: Notes.\n',
    scenarios: {},
    problems: { 1: 'spec-kit-scenario' },
  },
}
