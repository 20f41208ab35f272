import { call, click, fill, open, see, seeNot, type BrowserScript, type Move } from './browser-moves.ts'

const logIn = (name: string, password: string): readonly Move[] => [
  open('/login'),
  fill('Name', name),
  fill('Password', password, { submit: true }),
]

const cart: BrowserScript = [
  [open('/'), click('button', 'Add Blue mug to cart'), see(/^link "Cart \(1\)"/)],
  [
    click('link', 'Cart (1)'),
    fill('Quantity of Blue mug', '3', { role: 'spinbutton', submit: true }),
    open('/cart'),
    see(/^spinbutton "Quantity of Blue mug".*: "3"/),
  ],
  [see(/^cell "€27\.00"/), see(/^status.*: "Total: €27\.00"/)],
  [
    fill('Coupon', 'SPRING10'),
    click('button', 'Apply'),
    see(/^paragraph.*Coupon SPRING10/),
    see(/^status.*: "Total: €24\.30"/),
  ],
]

const account: BrowserScript = [
  [...logIn('ann', 'rose'), see(/^alert.*: Name or password is wrong\./)],
  [...logIn('ann', 'tulip'), see(/^heading "Welcome, Ann"/), see(/^link "Orders"/)],
  [click('button', 'Log out'), see(/^link "Log in"/)],
]

const catalogue: BrowserScript = [
  [
    open('/'),
    fill('Search', 'tea', { role: 'searchbox', submit: true }),
    see(/^status.*: 2 products/),
    see(/^link "Tea pot"/),
    see(/^link "Milk jug"/),
  ],
  [open('/products/gold-spoon'), see(/^paragraph.*: Sold out/), seeNot(/^button "Add Gold spoon to cart"/)],
]

const checkout: BrowserScript = [
  [
    open('/'),
    click('button', 'Add Tea pot to cart'),
    ...logIn('bob', 'daisy'),
    open('/checkout'),
    see(/^paragraph.*: "To pay: €24\.00"/),
  ],
  [
    fill('Mail for the confirmation', 'gifts@example.org'),
    click('button', 'Place the order'),
    see(/^alert.*: Enter street, number and town\./),
  ],
  [
    fill('Address', 'Harbour Road 12, Kiel'),
    click('button', 'Place the order'),
    see(/^status.*Thank you!/),
    see(/^status.*gifts@example\.org/),
  ],
  [click('link', 'All orders'), see(/^cell "€24\.00"/)],
]

const extras: BrowserScript = [
  [
    open('/'),
    click('button', 'Subscribe to the newsletter'),
    see(/"alert" dialog with message "Thank you for your interest!"/),
    call('browser_handle_dialog', { accept: true }),
    see(/^status.*: You are subscribed\./),
  ],
  [
    open('/products/blue-mug'),
    click('link', 'How to care for it'),
    call('browser_tabs', { action: 'select', index: 1 }),
    see(/^paragraph.*: Wash it by hand/),
    call('browser_tabs', { action: 'close', index: 1 }),
  ],
  [
    click('button', 'Add Blue mug to cart'),
    open('/cart'),
    click('button', 'Empty the cart'),
    see(/"confirm" dialog with message "Empty the cart\?"/),
    call('browser_handle_dialog', { accept: false }),
    see(/^cell "Blue mug"/),
  ],
  [
    ...logIn('ann', 'tulip'),
    click('button', 'Photo'),
    call('browser_file_upload', { paths: ['photo.txt'] }),
    see(/^status.*photo\.txt, 6 bytes/),
  ],
  [
    open('/checkout'),
    fill('Mail for the confirmation', 'ann@example.com'),
    fill('Address', 'Long Lane 4, Hull'),
    click('button', 'Place the order'),
    click('link', 'Invoice'),
    see(/invoice-1001\.txt/),
  ],
]

/** How a tester would go about the specs of `fixtures/shop`. */
export const shopScripts = {
  cart,
  account,
  catalogue,
  checkout,
  extras,
  stock: [[open('/products/blue-mug'), click('link', 'Stock in our other shops'), see(/Hamburg/)]],
  configurator: [
    [
      open('/configurator'),
      see(/^paragraph.*: "?Colours: 16,777,216/),
      click('button', 'Count the colours'),
      see(/counted/),
    ],
  ],
  AUTH_LOGIN: [[...logIn('ann', 'tulip'), see(/^heading "Welcome, Ann"/)]],
  orders: [[open('/orders'), see(/^paragraph.*: You have not ordered anything yet\./)]],
  Photo: [[open('/account'), see(/^heading "Welcome, Ann"/), see(/^status.*: No photo yet/)]],
} satisfies Readonly<Record<string, BrowserScript>>
