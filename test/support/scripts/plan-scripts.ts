import type { BrowserScripts } from './browse.ts'
import { click, fill, open, see, seeNot, type Move } from './browser-moves.ts'

const openCartWithMug: readonly Move[] = [open('/'), click('button', 'Add Blue mug to cart'), click('link', 'Cart (1)')]
const threeMugs: readonly Move[] = [
  ...openCartWithMug,
  fill('Quantity of Blue mug', '3', { role: 'spinbutton', submit: true }),
]
const logIn = (password: string, name = 'ann'): readonly Move[] => [
  open('/login'),
  fill('Name', name),
  fill('Password', password, { submit: true }),
]

const order = (mail: string): readonly Move[] => [
  fill('Mail for the confirmation', mail),
  fill('Address', 'Harbour Road 12, Kiel'),
  click('button', 'Place the order'),
  see(/^status.*Thank you!/),
]
const checkOut: readonly Move[] = [
  open('/'),
  click('button', 'Add Tea pot to cart'),
  ...logIn('daisy', 'bob'),
  open('/checkout'),
]

/** What a model does for the plans in `fixtures/shop/plans`, by the title of the scenario. Each `see` is a check. */
export const planScripts: BrowserScripts = {
  '1.1 Add One Product': [[open('/'), click('button', 'Add Blue mug to cart'), see(/^link "Cart \(1\)"/)]],
  '1.2 Begin With an Empty Cart': [[open('/cart'), see(/Your cart is empty/), see(/^link "Cart \(0\)"/)]],
  '1.3 Change a Quantity': [[...threeMugs, open('/cart'), see(/^spinbutton "Quantity of Blue mug".*: "3"/)]],
  '1.4 Sold Out': [
    [open('/products/gold-spoon'), see(/^paragraph.*: Sold out/), seeNot(/^button "Add Gold spoon to cart"/)],
  ],
  '2.1 Total of Several Pieces': [[...threeMugs, see(/^cell "€27\.00"/), see(/^status.*: "Total: €27\.00"/)]],
  '2.2 Coupon': [
    [
      ...openCartWithMug,
      fill('Coupon', 'SPRING10'),
      click('button', 'Apply'),
      see(/^paragraph.*Coupon SPRING10/),
      see(/^status.*: "Total: €8\.10"/),
    ],
  ],
  '1.1. refuse-a-wrong-password': [
    [open('/login'), see(/^textbox "Name"/), ...logIn('rose'), see(/^alert.*: Name or password is wrong\./)],
  ],
  '1.2. log-in-and-out': [
    [...logIn('tulip'), see(/^heading "Welcome, Ann"/), click('button', 'Log out'), see(/^link "Log in"/)],
  ],
  '2.1. search-in-descriptions': [
    [
      open('/'),
      see(/^button "Add Blue mug to cart"/),
      fill('Search', 'tea', { role: 'searchbox', submit: true }),
      see(/^status.*: 2 products/),
      see(/^link "Milk jug"/),
    ],
  ],
  '3.1. confirm-to-another-address': [
    [
      ...checkOut,
      see(/^paragraph.*: "To pay: €24\.00"/),
      ...order('gifts@example.org'),
      see(/^status.*gifts@example\.org/),
    ],
  ],
  '3.2. find-an-order': [
    [...checkOut, ...order('bob@example.com'), click('link', 'All orders'), see(/^cell "€24\.00"/)],
  ],
}
