import { useEffect, useRef, useState } from 'react'
import styles from './evidence.module.css'

type Props = { src: string; name: string; zoom: number; turn: number; brightness: number }

/** One picture. Zoom, rotation and brightness change the view only; the stored picture stays unchanged. */
export function Picture({ src, name, zoom, turn, brightness }: Props) {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  const image = useRef<HTMLImageElement>(null)
  // Set as properties, because the content security policy allows no style attributes.
  useEffect(() => {
    const style = image.current?.style
    if (!style) return
    style.inlineSize = `${zoom * 100}%`
    style.transform = `rotate(${turn}deg)`
    style.filter = `brightness(${brightness}%)`
  }, [zoom, turn, brightness])
  return (
    <figure className={styles.picture}>
      {state === 'failed' ? (
        <p role="alert">This picture could not be loaded.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={styles.frame} tabIndex={0} aria-label={`${name}, scrolls when zoomed`}>
          <img
            ref={image}
            src={src}
            alt={name}
            aria-busy={state === 'loading'}
            onLoad={() => setState('shown')}
            onError={() => setState('failed')}
          />
        </section>
      )}
      <figcaption className="muted">{name}</figcaption>
    </figure>
  )
}
