import { useParams } from '@tanstack/react-router'

const key = 'kyc-console-app'

export const lastApp = (): string | null => localStorage.getItem(key)
export const keepApp = (appId: string): void => localStorage.setItem(key, appId)

/** The app in the URL; pages below `/apps/$appId` always have one. */
export function useAppId(): string {
  const { appId } = useParams({ strict: false })
  return appId ?? ''
}
