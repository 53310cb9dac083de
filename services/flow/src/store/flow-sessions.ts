import type { PrismaClient } from './generated/client.ts'

/** The row of a round, created when the person starts it. */
export const flowSessionStore = (prisma: PrismaClient) => ({
  find: (sessionId: string, round: number) =>
    prisma.flowSession.findUnique({ where: { sessionId_round: { sessionId, round } } }),

  /** The newest round that the person started; its choices also apply to a resubmission. */
  newest: (sessionId: string) =>
    prisma.flowSession.findFirst({ where: { sessionId }, orderBy: { round: 'desc' } }),

  begin: (row: {
    session_id: string
    round: number
    app_id: string
    locale: string
    sealed_client_address: Uint8Array<ArrayBuffer> | null
    at: Date
  }) =>
    prisma.flowSession.upsert({
      where: { sessionId_round: { sessionId: row.session_id, round: row.round } },
      create: {
        sessionId: row.session_id,
        round: row.round,
        appId: row.app_id,
        locale: row.locale,
        sealedClientAddress: row.sealed_client_address,
        createdAt: row.at,
      },
      update: {},
    }),

  setLocale: (sessionId: string, round: number, locale: string) =>
    prisma.flowSession.updateMany({ where: { sessionId, round }, data: { locale } }),
})
export type FlowSessionStore = ReturnType<typeof flowSessionStore>
