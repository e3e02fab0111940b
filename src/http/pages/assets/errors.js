/** A plugin of Swagger UI: the answers that are errors are a line each until they are opened. */
export const errors = () => ({ wrapComponents: { response: folded } })

const folded =
  (Original, { React }) =>
  (props) => {
    const { createElement: make } = React
    const [isOpen, setOpen] = React.useState(false)
    const { code, response } = props
    if (isOpen || code < '400') return make(Original, props)
    const description = response.get('description').replaceAll('`', '').trim()
    const button = { type: 'button', className: 'folded', 'aria-expanded': false }
    return make(
      'tr',
      { className: 'response', 'data-code': code },
      make('td', { className: 'response-col_status' }, code),
      make(
        'td',
        { className: 'response-col_description', colSpan: 2 },
        make('button', { ...button, onClick: () => setOpen(true) }, description),
      ),
    )
  }
