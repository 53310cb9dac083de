import { defaultWorkflowConfig } from '@kyc/common/workflow'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { isNotFound } from '../../api/client.ts'
import { workflowQuery } from '../../api/workflows.ts'
import { useAppId } from '../../app/app-choice.ts'
import { Page } from '../../ui/page.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { Editor } from './editor.tsx'

/** Edits a workflow, or creates one from the defaults. */
export function WorkflowPage() {
  const appId = useAppId()
  const { workflowId } = useParams({ from: '/shell/apps/$appId/workflows/$workflowId' })
  const isNew = workflowId === 'new'
  const query = useQuery({ ...workflowQuery(appId, workflowId), enabled: !isNew })
  if (isNew) {
    return <Editor appId={appId} workflow={null} initial={{ name: '', config: defaultWorkflowConfig() }} />
  }
  if (query.data) {
    const { name, config } = query.data
    return <Editor key={workflowId} appId={appId} workflow={query.data} initial={{ name, config }} />
  }
  return (
    <Page title="Workflow">
      {query.isPending ? (
        <Loading what="the workflow" />
      ) : isNotFound(query.error) ? (
        <Empty title="There is no such workflow in this app">
          <Link to="/apps/$appId/workflows" params={{ appId }}>
            All workflows
          </Link>
        </Empty>
      ) : (
        <Failed error={query.error} retry={() => void query.refetch()} />
      )}
    </Page>
  )
}
