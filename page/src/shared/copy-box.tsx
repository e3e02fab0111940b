import { useEffect, useState } from 'preact/hooks'

/** A text to copy; browsers let pages copy only over HTTPS and from their own machine. */
export function CopyBox({ text, name }: { text: string; name: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => setCopied(false), [text])
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true))
  return (
    <div class="copied">
      <pre tabIndex={0} role="region" aria-label={name}>
        {text}
      </pre>
      {'clipboard' in navigator && (
        <button onClick={copy} aria-live="polite">
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      )}
    </div>
  )
}
