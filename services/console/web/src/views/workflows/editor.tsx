import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { useReasonAgainst } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { type WorkflowDetail, workflowQuery, workflowsQuery } from '../../api/workflows.ts'
import { notify } from '../../app/notices.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { wordsOf } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ConsentTexts } from './consent-texts.tsx'
import styles from './editor.module.css'
import { Setting } from './fields.tsx'
import { type FormInput, type FormOutput, formSchema } from './form.ts'
import { SaveDialog } from './save-dialog.tsx'
import { Simulation } from './simulation.tsx'
import { DecisionSettings, StepSettings } from './steps.tsx'
import { Versions } from './versions.tsx'

type Props = { appId: string; workflow: WorkflowDetail | null; initial: FormInput }

/** Edits every field of a workflow, validated by the contract. Saving first shows the changes. */
export function Editor({ appId, workflow, initial }: Props) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const against = useReasonAgainst()
  // The version that this form started from. If another one was saved since, saving reports it and never overwrites it.
  const [version, setVersion] = useState(workflow?.version ?? 0)
  const [saving, setSaving] = useState<FormOutput | null>(null)
  const form = useForm<FormInput, unknown, FormOutput>({
    resolver: zodResolver(formSchema),
    defaultValues: initial,
    mode: 'onTouched',
  })
  const { isDirty, errors } = form.formState
  const reason =
    against('workflow.write') ?? (workflow?.archived_at ? 'An archived workflow cannot be changed' : null)
  const [create, creating] = useAction(
    async ({ name, config }: FormOutput) => {
      const made = await api.post('/console/api/apps/:app_id/workflows', {
        params: { app_id: appId },
        body: { name, config },
      })
      notify(`${made.name} is made.`)
      await client.invalidateQueries({ queryKey: workflowsQuery(appId).queryKey })
      await navigate({ to: '/apps/$appId/workflows/$workflowId', params: { appId, workflowId: made.id } })
    },
    (failure) => form.setError('root', { message: wordsOf(failure) }),
  )
  const saved = (answer: WorkflowDetail) => {
    client.setQueryData(workflowQuery(appId, answer.id).queryKey, answer)
    setVersion(answer.version)
    form.reset({ name: answer.name, config: answer.config })
    setSaving(null)
    notify(`Version ${answer.version} is saved. Sessions under way keep theirs.`)
    void client.invalidateQueries({ queryKey: workflowsQuery(appId).queryKey, exact: true })
  }
  const submit = form.handleSubmit((values) => (workflow ? setSaving(values) : create(values)))
  return (
    <Page
      title={workflow?.name ?? 'New workflow'}
      heading={
        <>
          {workflow?.name ?? 'New workflow'} {workflow && <Badge>Version {workflow.version}</Badge>}{' '}
          {workflow?.is_default && <Badge tone="info">Default</Badge>}{' '}
          {workflow?.archived_at && <Badge>Archived</Badge>}
        </>
      }
      actions={
        <>
          {isDirty && <span className="muted">Not saved yet</span>}
          <Button
            variant="primary"
            busy={creating}
            reason={reason ?? (workflow && !isDirty ? 'Nothing is changed' : null)}
            onClick={() => void submit()}
          >
            {workflow ? 'Review and save' : 'Create'}
          </Button>
        </>
      }
    >
      <FormProvider {...form}>
        <form
          className={styles.editor}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (!reason) void submit()
          }}
        >
          {(errors.root || Object.keys(errors).length > 0) && (
            <p role="alert" className={styles.problem}>
              {errors.root?.message ?? 'Some fields are not right yet; each says why.'}
            </p>
          )}
          <Card title="Workflow">
            <Setting name="name" label="Name" />
          </Card>
          <StepSettings consent={<ConsentTexts />} />
          <DecisionSettings />
        </form>
        {workflow && (
          <Simulation appId={appId} workflowId={workflow.id} reason={against('workflow.simulate')} />
        )}
      </FormProvider>
      {workflow && <Versions appId={appId} workflow={workflow} />}
      {saving && workflow && (
        <SaveDialog
          appId={appId}
          workflowId={workflow.id}
          values={saving}
          version={version}
          onVersion={setVersion}
          onSaved={saved}
          onClose={() => setSaving(null)}
        />
      )}
    </Page>
  )
}
