/** How the docs page looks. */
export const style = `
:root{--text:#1f2933;--dim:#52606d;--line:#d9e2ec;--back:#fff;--panel:#f5f7fa;--code:#f0f4f8;--link:#0b6e5f;--mark:#fff3c4;--get:#0b5fa5;--post:#0b6e5f;--patch:#8a4b00;--delete:#b00020}
@media (prefers-color-scheme:dark){:root{--text:#e4e7eb;--dim:#a8b3bf;--line:#37424f;--back:#12181f;--panel:#1a222b;--code:#202a35;--link:#5fd3bd;--mark:#4a3f10;--get:#7cc4fa;--post:#5fd3bd;--patch:#f7c97f;--delete:#ff9b9b}}
*{box-sizing:border-box}
html{scroll-padding-top:4.5rem;color-scheme:light dark}
body{margin:0;font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',sans-serif;color:var(--text);background:var(--back)}
a{color:var(--link)}a:focus-visible,button:focus-visible,input:focus-visible,summary:focus-visible,pre:focus-visible{outline:2px solid var(--link);outline-offset:2px}
code,pre{font:13.5px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace}
:not(pre)>code{background:var(--code);border-radius:4px;padding:.1em .3em;overflow-wrap:anywhere}
.skip{position:absolute;left:-999px}.skip:focus{left:1rem;top:.5rem;z-index:9;background:var(--back);padding:.5rem}
header{position:sticky;top:0;z-index:5;display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;padding:.6rem 1.25rem;background:var(--back);border-bottom:1px solid var(--line)}
.version{color:var(--dim);font-size:.85rem}
.search{position:relative;flex:1 1 14rem;max-width:30rem}
.search input{width:100%;font:inherit;color:inherit;background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:.35rem .7rem}
#found{position:absolute;inset:calc(100% + 4px) 0 auto;margin:0;padding:.25rem;list-style:none;max-height:60vh;overflow:auto;background:var(--back);border:1px solid var(--line);border-radius:8px;box-shadow:0 8px 24px #0003}
#found li{padding:.35rem .6rem;border-radius:6px;cursor:pointer}#found li[aria-selected=true]{background:var(--code)}#found small{display:block;color:var(--dim)}
.links{margin-left:auto;display:flex;gap:1rem}
.columns{display:grid;grid-template-columns:minmax(0,16rem) minmax(0,1fr);max-width:96rem;margin:0 auto}
nav{position:sticky;top:3.6rem;align-self:start;max-height:calc(100vh - 3.6rem);overflow:auto;padding:1rem 1.25rem;font-size:.92rem}
nav ul{list-style:none;margin:0 0 .75rem;padding:0}nav li a{display:block;padding:.15rem 0;color:var(--dim);text-decoration:none;overflow-wrap:anywhere}nav li a:hover{color:var(--text)}nav h2{font-size:.8rem;text-transform:uppercase;letter-spacing:.05em;margin:.75rem 0 .25rem}nav summary{display:none}
main{padding:1rem 1.25rem 6rem;outline:none}h1{margin:.5rem 0 1rem}h2{margin-top:2.5rem}
.intro,.tag>p,.error{max-width:46rem}
.operation{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:1.5rem;padding:1.5rem 0;border-top:1px solid var(--line)}
.operation h3,.error h3{margin:0 0 .5rem;font-size:1.15rem}.operation h4{margin:1.25rem 0 .25rem}
.anchor{color:var(--dim);text-decoration:none;opacity:.6}.anchor:hover{opacity:1}
.endpoint{margin:0 0 .75rem}.method{font-weight:700;font-size:.8rem}.get{color:var(--get)}.post{color:var(--post)}.patch{color:var(--patch)}.delete{color:var(--delete)}.try{margin-left:.75rem;white-space:nowrap}
dl{margin:.25rem 0}.fields>div{padding:.5rem 0;border-top:1px solid var(--line)}dd{margin:0;color:var(--dim)}dt{overflow-wrap:anywhere}
.type{color:var(--dim);font-size:.85rem}.required{color:var(--delete);font-size:.8rem}.limits{display:block;font-size:.85rem}
.error{padding:1rem 0;border-top:1px solid var(--line)}.error dl>div{margin:.4rem 0}.error dt{font-weight:600}:target>h3,:target>.words>h3{background:var(--mark);border-radius:6px}
details{margin:.75rem 0}summary{cursor:pointer;font-weight:600}
.codes{padding-left:1.1rem}
.code{align-self:start;position:sticky;top:4.2rem;min-width:0}
pre{position:relative;margin:.5rem 0;padding:.8rem 1rem;overflow:auto;max-height:32rem;background:var(--panel);border:1px solid var(--line);border-radius:8px}
.bar{display:flex;gap:.25rem;flex-wrap:wrap}.bar button,.copy{font:inherit;font-size:.85rem;color:var(--dim);background:none;border:1px solid transparent;border-radius:6px;padding:.15rem .5rem;cursor:pointer}
.bar button[aria-pressed=true]{color:var(--text);border-color:var(--line);background:var(--panel)}.copy{margin-left:auto;border-color:var(--line)}
[class^=in-]{display:none}[data-language=curl] .in-curl,[data-language=typescript] .in-typescript,[data-language=python] .in-python,[data-language=php] .in-php{display:block}
@media (max-width:68rem){.operation{grid-template-columns:minmax(0,1fr)}.code{position:static}}
@media (max-width:48rem){.columns{grid-template-columns:minmax(0,1fr)}nav{position:static;max-height:none;padding-bottom:0}nav summary{display:list-item}.links{margin-left:0}header{position:static}html{scroll-padding-top:1rem}.search{flex-basis:100%;order:9;max-width:none}}
@media print{header,nav,.try,.bar{display:none}.columns{display:block}}
`.trimStart();
