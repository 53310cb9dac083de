import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'

/** `keys` is one key, or two in sequence (`g q`). */
export type Shortcut = { keys: string; label: string; run: () => void }

const preferenceKey = 'kyc-console-shortcuts'
let enabled = localStorage.getItem(preferenceKey) !== 'off'
let registered: readonly (readonly Shortcut[])[] = []
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Whether single-letter shortcuts are enabled (WCAG 2.1.4: users can switch them off). */
export const useShortcutsEnabled = () => useSyncExternalStore(subscribe, () => enabled)
export function setShortcutsEnabled(on: boolean): void {
  enabled = on
  if (on) localStorage.removeItem(preferenceKey)
  else localStorage.setItem(preferenceKey, 'off')
  tell()
}

/** All active shortcuts, the latest registered first. */
export const useRegisteredShortcuts = () => useSyncExternalStore(subscribe, () => registered).flat()

/** Registers the shortcuts while the component is mounted. Their functions are always the latest ones. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  const signature = shortcuts.map(({ keys, label }) => `${keys}:${label}`).join('|')
  // biome-ignore lint/correctness/useExhaustiveDependencies: registered anew when the keys change, not on each render
  useLayoutEffect(() => {
    const own = latest.current.map((shortcut, index) => ({
      ...shortcut,
      run: () => latest.current[index]?.run(),
    }))
    registered = [own, ...registered]
    tell()
    return () => {
      registered = registered.filter((set) => set !== own)
      tell()
    }
  }, [signature])
}

const typesText = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, select, [role="textbox"]') !== null)

/** Maximum time between the two keys of a pair. */
const pairMs = 1200
let pending: { key: string; until: number } | null = null

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
  if (!enabled || typesText(event.target) || document.querySelector('[role="dialog"], [role="menu"]')) return
  const pair = pending && pending.until > event.timeStamp ? `${pending.key} ${event.key}` : null
  pending = null
  const all = registered.flat()
  const found = (pair && all.find(({ keys }) => keys === pair)) || all.find(({ keys }) => keys === event.key)
  if (found) {
    // Enter on a link or button activates that element.
    if (event.key === 'Enter' && event.target instanceof HTMLElement && event.target.closest('a, button'))
      return
    event.preventDefault()
    found.run()
  } else if (all.some(({ keys }) => keys.startsWith(`${event.key} `))) {
    pending = { key: event.key, until: event.timeStamp + pairMs }
  }
}

document.addEventListener('keydown', onKey)
