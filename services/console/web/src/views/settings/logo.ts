const maxBytes = 30 * 1024

/** The selected image as a data: URL; null to remove the logo; empty to leave it unchanged. */
export async function logoOf(form: FormData): Promise<{ logo_url?: string | null }> {
  const file = form.get('logo')
  if (file instanceof File && file.size > 0) {
    if (file.size > maxBytes) throw new LogoTooLarge()
    return { logo_url: await dataUrlOf(file) }
  }
  return form.get('no_logo') ? { logo_url: null } : {}
}

export class LogoTooLarge extends Error {
  constructor() {
    super('The logo must be at most 30 KB.')
  }
}

const dataUrlOf = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
