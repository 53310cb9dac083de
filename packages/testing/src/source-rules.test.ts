import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { root, productSources as sources } from './product-sources.ts'

/** Every match of `pattern` in the product, as `path: match`. */
const found = (pattern: RegExp) =>
  sources.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map((match) => `${path}: ${match[1] ?? match[0]}`),
  )
const filesWith = (pattern: RegExp) =>
  sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

test('the scan reads the product', () => {
  expect(sources.length).toBeGreaterThan(300)
  expect(found(/createHash\('(\w+)'\)/g).length).toBeGreaterThan(20)
})

describe('cryptography', () => {
  test('every digest and HMAC is SHA-256, except the HMAC-SHA-1 of one-time codes (RFC 6238)', () => {
    const named = found(
      /(?:createHash\(|createHmac\(|hkdfSync\(|\bverify\(|subtle\.digest\(|hash: |algorithm: )'([\w-]+)'/g,
    )
    const others = named.filter((line) => !/: (sha256|SHA-256|HMAC|Ed25519)$/.test(line))
    expect(others).toEqual(['services/console/src/domain/totp.ts: SHA1'])
    expect(found(/create(?:Hash|Hmac)\((?!'sha256')[^)]*/g)).toEqual([])
  })

  test('every cipher is AES-256-GCM, and nothing encrypts with RSA', () => {
    expect(
      new Set(found(/create(?:Cipher|Decipher)iv\('([\w-]+)'/g).map((line) => line.split(': ')[1])),
    ).toEqual(new Set(['aes-256-gcm']))
    expect(found(/create(?:Cipher|Decipher)iv\((?!'aes-256-gcm')[^)]*/g)).toEqual([])
    const rsa =
      /\b(publicEncrypt|privateDecrypt|privateEncrypt|publicDecrypt|RSA-OAEP|RSAES|createCipher|createDecipher)\b\(/g
    expect(found(rsa)).toEqual([])
  })

  test('nothing outside packages/vault encrypts, and cryptography comes from the platform and named libraries', () => {
    expect(filesWith(/createCipheriv|createDecipheriv/).map((path) => path.split('/src/')[0])).toEqual(
      Array(2).fill('packages/vault'),
    )
    const libraries =
      /from '((?:crypto-js|node-forge|tweetnacl|@noble\/[\w-]+|sjcl|elliptic|bcrypt\w*|md5|sha\.?js|uuid|nanoid)[\w./-]*)'/g
    expect(found(libraries)).toEqual([])
  })

  test('only retry delays use Math.random', () => {
    expect(filesWith(/Math\.random/).sort()).toEqual([
      'packages/client/src/testing.ts',
      'packages/client/src/transport.ts',
      'services/flow/web/src/api/flow-api.ts',
      'services/flow/web/src/api/upload.ts',
      'services/flow/web/src/app/use-follow.ts',
      'services/sanctions-screening/src/service.ts',
      'services/webhook-dispatcher/src/service.ts',
    ])
  })

  test('only the gateway identity and the result token are JWTs, each with one algorithm', () => {
    expect(filesWith(/from 'jose'/)).toEqual([
      'packages/http/src/identity.ts',
      'services/flow/src/operations/return-url-of.ts',
    ])
    expect(
      found(/\b(decodeJwt|UnsecuredJWT|createRemoteJWKSet|EmbeddedJWK|decodeProtectedHeader)\b/g),
    ).toEqual([])
  })
})

describe('connections that leave the system', () => {
  test('are opened in these files only', () => {
    const opens =
      /^import (?!type\b)[^']*from '(?:got|undici|axios|nodemailer|ioredis|http-proxy-middleware|amqplib|pg|ws)'|import\('@(?:opentelemetry\/exporter|aws-sdk)|(?<![.\w#])fetch\(|S3Client\(|\b(?:http|https|net|tls|http2|dgram)\.(?:request|get|connect|createConnection|createSocket)\(/m
    const files = filesWith(opens).filter((path) => !/\/web\/src\/|^packages\/(client|web-kit)\//.test(path))
    const isStore = (path: string) => /^packages\/(bus|runtime\/src\/database)\/|^services\/ops\//.test(path)
    const known = new Set([
      // Webhooks and sanctions lists: destinations configured by others, so every address is checked.
      'packages/outbound/src/errors.ts',
      'packages/outbound/src/exchange.ts',
      // Model files, for the operator's command.
      'packages/runtime/src/models/fetch.ts',
      'packages/runtime/src/tracing.ts',
      'packages/vault/src/keys/transit.ts',
      'packages/vault/src/store/s3.ts',
      // Email.
      'services/console/src/mail/mailer.ts',
      'services/flow/src/mail/mailer.ts',
      // To the services, and to Redis.
      'services/gateway/src/http/forward.ts',
      'services/gateway/src/http/limits.ts',
      'services/gateway/src/http/limited-page.ts',
    ])
    expect(files.length).toBeGreaterThan(8)
    expect(files.filter((path) => !isStore(path) && !known.has(path))).toEqual([])
  })
})

describe('logs', () => {
  test('are written by the logger, to standard output', () => {
    expect(found(/winston\.transports\.(\w+)/g)).toEqual(['packages/runtime/src/logger.ts: Stream'])
    expect(filesWith(/from 'winston'/)).toEqual(['packages/runtime/src/logger.ts'])
    expect(found(/\bconsole\.(?:log|info|warn|error|debug)\(/g)).toEqual([])
    const commands = /command\.ts$|\/cli\/main\.ts$|^services\/(ops|standalone)\/src\/main\.ts$/
    expect(filesWith(/process\.std(?:out|err)/).filter((path) => !commands.test(path))).toEqual([
      'packages/runtime/src/log-output.ts',
    ])
    expect(
      found(/appendFile\w*\(|createWriteStream\(/g)
        .map((line) => line.split(':')[0])
        .sort(),
    ).toEqual([
      'packages/runtime/src/models/fetch.ts',
      'services/ops/src/backup/write-backup.ts',
      'services/sanctions-screening/src/lists/fetch-list.ts',
    ])
  })
})

describe('browser storage', () => {
  test('is not used by the hosted flow, and by the console only for three display settings', () => {
    const storage = /localStorage|sessionStorage|indexedDB|document\.cookie|caches\.open|serviceWorker/
    expect(filesWith(storage).sort()).toEqual([
      'services/console/web/src/app/app-choice.ts',
      'services/console/web/src/app/shortcuts.ts',
      'services/console/web/src/app/theme.ts',
    ])
  })

  test('neither web app loads anything from another host', () => {
    const loads = /(?:src|href|url|import|fetch|from)[=(: ]*['"`(](?:https?:)?\/\/[\w.-]+/g
    const web = found(loads).filter((line) => line.includes('/web/src/'))
    expect(web).toEqual([])
  })
})

describe('the compiler and the linter', () => {
  test('TypeScript runs in strict mode in every project', () => {
    const projects = new Set(sources.map(({ path }) => path.slice(0, path.indexOf('/src/'))))
    const configs = ['tsconfig.base.json', ...[...projects].map((project) => `${project}/tsconfig.json`)]
    const texts = configs.flatMap((path) => {
      try {
        return [readFileSync(join(root, path), 'utf8')]
      } catch {
        return []
      }
    })
    expect(texts.length).toBeGreaterThan(15)
    expect(texts[0]).toMatch(/"strict": true/)
    expect(texts[0]).toMatch(/"noUncheckedIndexedAccess": true/)
    for (const text of texts)
      expect(text).not.toMatch(/"(strict\w*|no\w+|useUnknownInCatchVariables|alwaysStrict)": false/)
  })

  test('lint rejects loose comparisons, any, console output, and access to the environment outside config.ts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kyc-lint-'))
    try {
      const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8')) as Record<string, unknown>
      writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, vcs: { enabled: false } }))
      const code = [
        'export const same = (a: unknown, b: unknown) => a == b',
        'export const free = (a: any) => a',
        "export const print = () => console.log('x')",
        'export const home = process.env.HOME',
      ]
      writeFileSync(join(folder, 'example.ts'), `${code.join('\n')}\n`)
      const biome = join(root, 'node_modules/.bin/biome')
      const { stdout } = spawnSync(biome, ['lint', '--reporter=json', '.'], { cwd: folder, encoding: 'utf8' })
      const { diagnostics } = JSON.parse(stdout) as { diagnostics: { category: string; severity: string }[] }
      expect(diagnostics.map(({ category, severity }) => `${severity} ${category}`)).toEqual([
        'error lint/suspicious/noDoubleEquals',
        'error lint/suspicious/noExplicitAny',
        'error lint/suspicious/noConsole',
        'error lint/style/noProcessEnv',
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
