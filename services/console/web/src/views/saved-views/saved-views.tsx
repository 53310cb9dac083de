import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { type SavedView, viewsQuery } from '../../api/views.ts'
import { useAppId } from '../../app/app-choice.ts'
import { notify } from '../../app/notices.tsx'
import { Button } from '../../ui/button.tsx'
import { ChipSelect } from '../../ui/chips.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { pageStyles } from '../../ui/page.tsx'
import { useAction } from '../../ui/use-action.ts'
import { keptFilters, leftOut, viewOf } from './filters.ts'

type Props = { page: SavedView['page']; search: object; onChoose: (filters: SavedView['filters']) => void }

/** The user's saved filters of a page: select, save, delete. */
export function SavedViews({ page, search, onChoose }: Props) {
  const appId = useAppId()
  const client = useQueryClient()
  const list = useQuery(viewsQuery(appId))
  const views = (list.data ?? []).filter((view) => view.page === page)
  const chosen = viewOf(views, search)
  const filters = keptFilters(search)
  const [naming, setNaming] = useState(false)
  const refresh = () => client.invalidateQueries({ queryKey: viewsQuery(appId).queryKey })
  const [save, saving] = useAction(async (name: string) => {
    await api.post('/console/api/apps/:app_id/views', {
      params: { app_id: appId },
      body: { page, name, filters },
    })
    setNaming(false)
    await refresh()
    notify(`“${name}” is saved.`)
  })
  const [forget, forgetting] = useAction(async ({ id, name }: SavedView) => {
    await api.delete('/console/api/apps/:app_id/views/:view_id', {
      params: { app_id: appId, view_id: id },
    })
    await refresh()
    notify(`“${name}” is forgotten.`)
  })
  return (
    <>
      {views.length > 0 && (
        <ChipSelect
          label="View"
          value={chosen?.id}
          options={views.map(({ id, name }) => [id, name])}
          onChange={(id) => onChoose(views.find((view) => view.id === id)?.filters ?? {})}
        />
      )}
      {chosen ? (
        <Button variant="quiet" busy={forgetting} onClick={() => forget(chosen)}>
          Forget this view
        </Button>
      ) : (
        Object.keys(filters).length > 0 && (
          <Button variant="quiet" onClick={() => setNaming(true)}>
            Save this view
          </Button>
        )
      )}
      <Dialog title="Save this view" open={naming} onClose={() => setNaming(false)}>
        <form
          className={pageStyles.form}
          onSubmit={(event) => {
            event.preventDefault()
            save(String(new FormData(event.currentTarget).get('name')).trim())
          }}
        >
          <TextField
            label="Name of the view"
            name="name"
            required
            autoFocus
            maxLength={60}
            hint={
              leftOut(search).length > 0
                ? 'Only you see it. What tells of a person (name, reference, session id) is not kept.'
                : 'Only you see it. A view of the same name is written over.'
            }
          />
          <DialogActions>
            <Button onClick={() => setNaming(false)}>Cancel</Button>
            <Button type="submit" variant="primary" busy={saving}>
              Save
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </>
  )
}
