import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api, type Got } from '../../api/client.ts'
import { workflowsQuery } from '../../api/workflows.ts'
import { useAppId } from '../../app/app-choice.ts'
import type { AnalyticsSearch } from '../../app/search.ts'
import { formatNumber, formatSeconds, formatShare, wordsOfCode } from '../../lib/words.ts'
import { Chip, ChipSelect, Chips } from '../../ui/chips.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import styles from './analytics.module.css'
import { Bars } from './bars.tsx'
import { DayLines } from './day-lines.tsx'
import { Figure } from './figure.tsx'

type Analytics = Got<'/console/api/apps/:app_id/analytics'>

const dayMs = 86_400_000
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
const ranges = [7, 30, 90] as const

/** Completion, durations and decisions; every chart is also available as a table. */
export function AnalyticsPage() {
  const appId = useAppId()
  const search = useSearch({ from: '/shell/apps/$appId/analytics' })
  const navigate = useNavigate()
  const workflows = useQuery(workflowsQuery(appId))
  const to = search.to ?? dayOf(Date.now())
  const from = search.from ?? dayOf(Date.parse(to) - 29 * dayMs)
  const query = useQuery({
    queryKey: ['app', appId, 'analytics', { from, to, workflow: search.workflow }],
    queryFn: () =>
      api.get('/console/api/apps/:app_id/analytics', {
        params: { app_id: appId },
        query: { from, to, workflow_id: search.workflow },
      }),
    placeholderData: keepPreviousData,
  })
  const change = (next: AnalyticsSearch) =>
    void navigate({ to: '.', search: { ...search, ...next }, replace: true })
  return (
    <Page title="Analytics" lead="Days are counted in UTC.">
      <Chips label="Range and workflow">
        {ranges.map((days) => {
          const begin = dayOf(Date.now() - (days - 1) * dayMs)
          return (
            <Chip
              key={days}
              on={from === begin && to === dayOf(Date.now())}
              onChange={() => change({ from: begin, to: undefined })}
            >
              {days} days
            </Chip>
          )
        })}
        <label className={styles.date}>
          From
          <input
            type="date"
            value={from}
            max={to}
            onChange={(event) => event.target.value && change({ from: event.target.value })}
          />
        </label>
        <label className={styles.date}>
          to
          <input
            type="date"
            value={to}
            min={from}
            onChange={(event) => event.target.value && change({ from, to: event.target.value })}
          />
        </label>
        <ChipSelect
          label="Workflow"
          value={search.workflow}
          options={(workflows.data ?? []).map(({ id, name }) => [id, name])}
          onChange={(workflow) => change({ workflow })}
        />
      </Chips>
      {query.isPending && <Loading what="the figures" />}
      {query.isError && !query.data && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data &&
        (query.data.totals.created === 0 ? (
          <Empty title="No session in these days">
            <p>Choose a longer range, or create a session.</p>
          </Empty>
        ) : (
          <Figures data={query.data} />
        ))}
    </Page>
  )
}

function Figures({ data }: { data: Analytics }) {
  const { totals } = data
  const tiles: [string, string][] = [
    ['Created', formatNumber(totals.created)],
    ['Started', formatNumber(totals.started)],
    ['Submitted', formatNumber(totals.submitted)],
    ['Conversion', formatShare(totals.conversion)],
    ['Approval rate', formatShare(totals.approval_rate)],
    ['Median time in the flow', formatSeconds(data.flow_time.median_seconds)],
    ['Median time of checks', formatSeconds(data.processing_time.median_seconds)],
    ['Median time to review', formatSeconds(data.review_time.median_seconds)],
    ['Camera denied', formatShare(totals.camera_denied_rate)],
  ]
  const counted = (rows: readonly { code: string; count: number }[]) =>
    rows.map(({ code, count }) => [wordsOfCode(code), count] as const)
  return (
    <>
      <dl className={styles.tiles}>
        {tiles.map(([name, value]) => (
          <div key={name} className={styles.tile}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.figures}>
        <Figure
          title="Funnel by step"
          head={['Step', 'Sessions']}
          rows={data.funnel.map(({ step, sessions }) => [wordsOfCode(step), sessions])}
        >
          <Bars
            rows={data.funnel.map(({ step, sessions }) => [wordsOfCode(step), sessions] as const)}
            share
          />
        </Figure>
        <Figure
          title="By day"
          head={['Day', 'Created', 'Submitted', 'Approved', 'Declined', 'In review']}
          rows={data.days.map((day) => [
            day.day,
            day.created,
            day.submitted,
            day.approved,
            day.declined,
            day.in_review,
          ])}
        >
          <DayLines days={data.days} />
        </Figure>
        <Figure
          title="Decisions and reasons"
          head={['Status', 'Reason', 'Decisions']}
          rows={data.reasons.map(({ status, reason, count }) => [
            wordsOfCode(status),
            reason === null ? '–' : wordsOfCode(reason),
            count,
          ])}
        >
          <Bars
            rows={data.reasons.map(
              ({ status, reason, count }) =>
                [
                  reason === null ? wordsOfCode(status) : `${wordsOfCode(status)}: ${wordsOfCode(reason)}`,
                  count,
                ] as const,
            )}
          />
        </Figure>
        <Figure title="Warnings" head={['Warning', 'Sessions']} rows={counted(data.warnings)}>
          <Bars rows={counted(data.warnings)} />
        </Figure>
        <Figure
          title="Time per step"
          head={['Step', 'Times', 'Median', 'Mean']}
          rows={data.step_times.map(({ step, count, median_seconds, mean_seconds }) => [
            wordsOfCode(step),
            count,
            formatSeconds(median_seconds),
            formatSeconds(mean_seconds),
          ])}
        >
          <Bars
            rows={data.step_times.map(
              ({ step, median_seconds }) => [wordsOfCode(step), median_seconds ?? 0] as const,
            )}
            format={formatSeconds}
          />
        </Figure>
        <Figure
          title="Reviewers"
          head={['Reviewer', 'Decisions', 'Median', 'Mean']}
          rows={data.reviewers.map(({ name, user_id, count, median_seconds, mean_seconds }) => [
            name ?? user_id,
            count,
            formatSeconds(median_seconds),
            formatSeconds(mean_seconds),
          ])}
        >
          <Bars rows={data.reviewers.map(({ name, user_id, count }) => [name ?? user_id, count] as const)} />
        </Figure>
        <Figure title="What happened on the page" head={['Event', 'Times']} rows={counted(data.page_events)}>
          <Bars rows={counted(data.page_events)} />
        </Figure>
      </div>
    </>
  )
}
