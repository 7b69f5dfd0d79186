/** Style of the API page, for light and dark color schemes. */
export const apiPageStyle = `
:root{color-scheme:light dark;--line:light-dark(#d9dee5,#363b44);--muted:light-dark(#5b6572,#9aa4b2);--panel:light-dark(#f5f7f9,#1d2127);
--link:light-dark(#1c5fb8,#7db4ff);background:light-dark(#fff,#15181c);color:light-dark(#1b1f24,#e4e8ee);font:15px/1.55 system-ui,sans-serif}
*{box-sizing:border-box}body{margin:0;display:grid;grid-template-columns:15rem minmax(0,1fr)}a{color:var(--link)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem 1rem;border-right:1px solid var(--line);display:flex;flex-direction:column;gap:.15rem}
nav b{margin-bottom:.75rem}nav a{color:inherit;text-decoration:none;padding:.15rem .5rem;border-radius:4px}nav a:hover{background:var(--panel)}
main{max-width:64rem;padding:1.5rem 2rem 6rem;min-width:0}h1{margin:0 0 1rem}h1 small{font-size:.5em;color:var(--muted);font-weight:400}
section{margin-top:3rem;scroll-margin-top:1rem}h2{margin:0;font-size:1.35rem}h3{font-size:1rem;margin:1.5rem 0 .5rem}h4{font-size:.85rem;margin:1rem 0 .35rem;color:var(--muted);font-weight:600}
p{margin:.5rem 0;max-width:48rem}code,pre{font:.87em/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}
details{border-top:1px solid var(--line)}details:last-child{border-bottom:1px solid var(--line)}p+details{margin-top:1rem}
summary{padding:.55rem 0;cursor:pointer;display:flex;gap:.35rem .9rem;flex-wrap:wrap;align-items:baseline}summary:hover{background:var(--panel)}
summary b{min-width:4rem;font:600 .8em ui-monospace,monospace}summary code{overflow-wrap:anywhere;min-width:22rem}summary span{flex:1;min-width:12rem}em{color:var(--muted);font-style:normal;font-size:.85em}
b.get{color:light-dark(#1f7a38,#69db7c)}b.post{color:light-dark(#3b5bdb,#91a7ff)}b.put{color:light-dark(#a85600,#ffc078)}b.delete{color:light-dark(#c92a2a,#ff8787)}
.body{padding:.25rem 0 1.5rem 1rem;border-left:2px solid var(--line);margin-bottom:1rem;scroll-margin-top:3.5rem}
.fields{border:1px solid var(--line);border-radius:6px}.field{display:grid;grid-template-columns:minmax(9rem,14rem) minmax(8rem,14rem) minmax(0,1fr);gap:.25rem 1rem;padding:.45rem .75rem}
.field+.field{border-top:1px solid var(--line)}.field>div{overflow-wrap:anywhere}.type,.type small{color:var(--muted)}.type small{display:block}
pre{margin:0;overflow:auto;max-height:24rem;background:var(--panel);padding:.75rem 1rem;border-radius:6px}
@media (max-width:56rem){body{display:block}nav{position:static;height:auto;flex-flow:row wrap;border-right:0;border-bottom:1px solid var(--line);padding:1rem}nav b{display:none}nav a{padding:.15rem 0;margin-right:.75rem}
main{padding:1rem 1rem 4rem}.field{grid-template-columns:minmax(0,1fr)}summary code{min-width:0}summary b{min-width:3.5rem}summary span{flex-basis:100%;order:1}summary em{margin-left:auto}.body{padding-left:.75rem}}`;
