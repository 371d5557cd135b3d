// Names made to break terminals, pages and parsers, with ids that need encoding.

export const HOSTILE_NAMES: readonly (readonly [id: string, name: string])[] = [
  ['site/ansi', '\u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007'],
  ['site%control', 'bell\u0007 null\u0000 return\rline\nfeed\u0085\u2028end'],
  ['site bidi', 'abc\u202egnp.exe\u2066x\u2069'],
  ['site#html', '<img src=x onerror=alert(1)>"\'&amp;</script>'],
  ['site?markdown', '[click](javascript:alert(1)) | **bold** `code` ::warning::owned <!-- -->'],
  ['__proto__', '__proto__'],
  ['constructor', 'constructor'],
  ['site\u00e9\ud83d\ude80', '\ud83d\ude80 \u0065\u0301 \u00e9 \ufeff'],
  ['site+$(x)', '${{ secrets.TOKEN }} %0A $(rm -rf /) {{7*7}}'],
];
