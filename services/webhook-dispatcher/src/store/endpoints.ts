import type { Environment } from '@kyc/common'
import type { Prisma } from './prisma.ts'

export type Endpoint = {
  app_id: string
  environment: Environment
  url: string | null
  secret_masked: string
  updated_at: Date
}

export type NewSecret = { sealed_secret: Uint8Array<ArrayBuffer>; secret_masked: string }

/** Webhook settings per app. The secret is written sealed and read only with a lease. */
export function createEndpointStore(prisma: Prisma) {
  const shown = { appId: true, environment: true, url: true, secretMasked: true, updatedAt: true } as const
  type Row = { appId: string; environment: string; url: string | null; secretMasked: string; updatedAt: Date }
  const toEndpoint = (row: Row): Endpoint => ({
    app_id: row.appId,
    environment: row.environment as Environment,
    url: row.url,
    secret_masked: row.secretMasked,
    updated_at: row.updatedAt,
  })

  /** Null if the app has no endpoint. */
  async function update(
    app_id: string,
    data: Parameters<typeof prisma.webhookEndpoint.updateManyAndReturn>[0]['data'],
  ) {
    const [row] = await prisma.webhookEndpoint.updateManyAndReturn({
      where: { appId: app_id },
      data,
      select: shown,
    })
    return row === undefined ? null : toEndpoint(row)
  }

  return {
    async find(app_id: string): Promise<Endpoint | null> {
      const row = await prisma.webhookEndpoint.findUnique({ where: { appId: app_id }, select: shown })
      return row && toEndpoint(row)
    },

    /** Null if the app already has an endpoint. */
    async create(
      app_id: string,
      values: { environment: Environment; url: string | null; now: Date } & NewSecret,
    ): Promise<Endpoint | null> {
      const [row] = await prisma.webhookEndpoint.createManyAndReturn({
        data: [
          {
            appId: app_id,
            environment: values.environment,
            url: values.url,
            sealedSecret: values.sealed_secret,
            secretMasked: values.secret_masked,
            updatedAt: values.now,
          },
        ],
        skipDuplicates: true,
        select: shown,
      })
      return row === undefined ? null : toEndpoint(row)
    },

    setUrl: (app_id: string, url: string | null, now: Date) => update(app_id, { url, updatedAt: now }),

    setSecret: (app_id: string, secret: NewSecret, now: Date) =>
      update(app_id, {
        sealedSecret: secret.sealed_secret,
        secretMasked: secret.secret_masked,
        updatedAt: now,
      }),
  }
}
export type EndpointStore = ReturnType<typeof createEndpointStore>
