import { toTimestamp, type Workflow, type WorkflowConfig, workflowConfig } from '@kyc/common'
import type { PrismaClient } from './generated/client.ts'

/** Inserts a workflow at version 1. A new default replaces the previous one. */
export async function insertWorkflow(
  prisma: PrismaClient,
  workflow: {
    id: string
    app_id: string
    name: string
    is_default: boolean
    config: WorkflowConfig
    at: Date
  },
): Promise<Workflow> {
  const { id, app_id: appId, name, config, at } = workflow
  const row = await prisma.$transaction(async (tx) => {
    const live = await tx.workflow.count({ where: { appId, archivedAt: null } })
    const isDefault = workflow.is_default || live === 0
    if (isDefault)
      await tx.workflow.updateMany({ where: { appId, isDefault: true }, data: { isDefault: false } })
    return tx.workflow.create({
      data: {
        id,
        appId,
        name,
        isDefault,
        version: 1,
        createdAt: at,
        updatedAt: at,
        versions: { create: { version: 1, config, createdAt: at } },
      },
    })
  })
  return present(row, config)
}

/** The app's live workflows, default first, then the oldest. */
export async function listLiveWorkflows(
  prisma: PrismaClient,
  appId: string,
  page: { page: number; page_size: number },
): Promise<{ data: Workflow[]; total: number }> {
  const where = { appId, archivedAt: null }
  const [rows, total] = await prisma.$transaction([
    prisma.workflow.findMany({
      where,
      orderBy: [{ isDefault: 'desc' }, { createdAt: 'asc' }, { id: 'asc' }],
      skip: (page.page - 1) * page.page_size,
      take: page.page_size,
      include: { versions: true },
    }),
    prisma.workflow.count({ where }),
  ])
  const data = rows.map((row) => {
    const current = row.versions.find((item) => item.version === row.version)
    if (!current) throw new Error(`workflow ${row.id} lacks version ${row.version}`)
    return present(row, workflowConfig.parse(current.config))
  })
  return { data, total }
}

type WorkflowRow = {
  id: string
  name: string
  isDefault: boolean
  version: number
  createdAt: Date
  updatedAt: Date
}

const present = (row: WorkflowRow, config: WorkflowConfig): Workflow => ({
  id: row.id,
  name: row.name,
  is_default: row.isDefault,
  version: row.version,
  created_at: toTimestamp(row.createdAt),
  updated_at: toTimestamp(row.updatedAt),
  config,
})
