const boundary = 'kyc-fuzz-boundary'

/** A multipart body of text parts and files; `cut` omits its end. */
export function multipartOf(
  values: unknown,
  files: readonly (readonly [string, Buffer])[],
  cut: boolean,
): { headers: Record<string, string>; body: Buffer } {
  const fields = typeof values === 'object' && values !== null ? Object.entries(values) : []
  const pieces: Buffer[] = []
  const part = (head: string, content: Buffer) =>
    pieces.push(Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), content, Buffer.from('\r\n'))
  for (const [name, value] of fields) {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    part(`content-disposition: form-data; name="${name.replaceAll('"', '%22')}"`, Buffer.from(text))
  }
  for (const [name, content] of files) {
    const head = `content-disposition: form-data; name="${name}"; filename="../a.jpg"\r\ncontent-type: image/jpeg`
    part(head, content)
  }
  if (!cut) pieces.push(Buffer.from(`--${boundary}--\r\n`))
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat(pieces),
  }
}
