import type { Page } from 'playwright-core'

/** An element at which a screen reader stops. */
const roles = new Set([
  'heading',
  'button',
  'link',
  'textbox',
  'combobox',
  'radio',
  'checkbox',
  'slider',
  'image',
  'dialog',
  'progressbar',
  'progressindicator',
])
/** Roles that have other names in Chromium's tree. */
const names: Record<string, string> = { ComboBoxSelect: 'combobox', progressindicator: 'progressbar' }

type Node = { ignored: boolean; role?: { value?: unknown }; name?: { value?: unknown } }

/** The browser's accessibility tree in document order: each element with its name. */
export async function spokenOn(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page)
  try {
    const { nodes } = (await devtools.send('Accessibility.getFullAXTree')) as { nodes: Node[] }
    return nodes.flatMap(({ ignored, role, name }) => {
      const kind = names[String(role?.value)] ?? String(role?.value)
      return ignored || !roles.has(kind) ? [] : [`${kind} ${String(name?.value ?? '')}`.trim()]
    })
  } finally {
    await devtools.detach()
  }
}
