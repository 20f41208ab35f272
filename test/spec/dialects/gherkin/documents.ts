/** Features as Cucumber's users write them, each with something of its own. */
export const gherkinDocuments: Readonly<Record<string, string>> = {
  usual: `Feature: Cart
  The shop keeps a cart for each visitor.

  Background:
    Given a visitor with an empty cart

  Scenario: Add a mug
    When the visitor adds a mug
    Then the cart has one article
    And the badge shows 1
    But nothing is ordered

  Scenario: Take it out
    Given a mug in the cart
    When the visitor takes it out
    Then the cart is empty
`,
  'rules with backgrounds, tags and comments': `# Written by hand.
@shop @wine
# About it.
Feature: Wine

  Background: of all
    Given the shop is open

  @first
  Rule: Only adults buy wine
    They are 18 or older.

    Background:
      Given the visitor is 17

    # A comment.
    @issue(12) @slow

    @twice @twice
    Example: Too young
      When the visitor buys wine
      Then the shop refuses

  # Between.
  Rule: Empty

  @second
  Rule: The till
    Scenario: Closed
      * it is night
      * the visitor pays
      Then the till is closed
      * it says so
      And until when
    # The end.
`,
  'outlines with several tables': `Feature: Prices

  @outline
  Scenario Outline: <what> for <price>
    Whatever <what> is.

    When the visitor buys <what>
    Then it costs <price>

    @cheap
    Examples: cheap
      They are in the front.
      | what | price |
      | tea  | $1    |
      | milk | \\|2   |

    @dear
    Examples:
      | price | what |
      | 90    | wine |
      |       |      |

    Examples: none yet
      | what | price |

  Scenario Template: no name in it
    Then <a> is not <b>

    Scenarios:
      | a | b | a |
      | 1 | 2 | 3 |
    Examples:
      | a | b |
      | 1 | 2 |

  Scenario: Behind it
    Then it is there
`,
  'doc strings and data tables': `Feature: Texts

  Scenario: Quotes
    Given the file:
      """json
      { "Scenario: none": "Given nothing" }

      # no comment
      Feature: none
      """
    Then it prints
      \`\`\`
      """
      Scenario: none
        Then nothing
      """
      \`\`\`
    And the table has
      | name     | n \\| m |
      | Scenario | \\\\n    |
    And there is nothing
      """
      """

  Scenario: Escaped
    Then it prints
      """
      \\"\\"\\"
      """
    When it ends
    And it begins anew
    Then it prints
      | Examples: |
`,
  'in German': `# language: de
@laden
Funktionalität: Warenkorb
  Grundlage:
    Angenommen der Laden ist offen

  Szenario: Tasse
    Wenn der Gast eine Tasse nimmt
    Dann ist sie im Korb
    Und der Korb ist voll

  Regel: Nur Erwachsene
    Szenariogrundriss: Mit <Alter>
      Wenn jemand mit <Alter> kauft
      Dann ist die Antwort "<Antwort>"

      Beispiele:
        | Alter | Antwort |
        | 17    | nein    |
        | 18    | ja      |
`,
  'in Japanese': `# language: ja
機能: カート
  シナリオ: 追加
    前提 カートは空である
    もし 客がカップを追加する
    ならば カートに一つある
    かつ 表示は1である
`,
  'in French': `#language:fr
Fonctionnalité: Panier

  Scénario: Ajouter
    Étant donné que le panier est vide
    Quand le client ajoute une tasse
    Alors le panier contient une tasse
    Et l'icône affiche 1
`,
  'in emoji': `# language: em
📚: 🙈🙉🙊

  📕: 💃
    😐🎸
    🎬💃
    🙏🎶
`,
  'weird indentation': `
\t\tFeature:Names
Scenario:
Given one
\t Then two
            Scenario:    Same
   When   spaced
     Then it is
Scenario: Same
Then  it is, too
  Scenario: Same
Scenario Outline: Same
Then <x>
Examples:
|x|
|1|
|1|
`,
  'with carriage returns':
    'Feature: Windows\r\n\r\n  Scenario: One\r\n    Then it prints\r\n      """\r\n      a\r\n      """\r\n\r\n  Scenario: Two\r\n    Then | is no table\r\n',
  'with a byte order mark': '\uFEFFFeature: Mark\n  Scenario: One\n    Then it is\n',
  'without a scenario': 'Feature: Nothing\n  Only words.\n',
  'comments alone': '# nothing\n\n# language is not set\n',
  empty: '',
  'no steps':
    'Feature: Ideas\n\n  Background:\n    Given it is late\n\n  Scenario: Later\n    Words.\n\n  Scenario: Still later\n',
  'markdown in descriptions': `Feature: Words
  # Heading

  - a list
  | not | a table |

  \`\`\`sh run
  exit 1
  \`\`\`

  Scenario: One
    * list or step
    Then it is
`,
}
