import { History } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { isAdmin } from '../../../../domain/access/permissions.ts'
import type { HandIn } from '../../../../domain/wire/hand-ins.ts'
import type { OpenText } from '../../../../sync/editing/editor-session.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { useApp, useSignedIn } from '../../../app/app-context.tsx'
import { useNotices } from '../../../app/notices.ts'
import { once } from '../../../app/once.ts'
import { ScreenAside } from '../../../layout/frame.tsx'
import { OnDemand, useOnDemand } from '../../../ui/on-demand.tsx'
import { useCompletionNotSent } from '../../../unsent/not-sent.ts'
import { Completion } from '../completion/completion.tsx'
import { ArticleText, useArticleEditor } from '../editor/editor.tsx'
import { shownDocument } from '../editor/shown-document.ts'
import { Toolbar } from '../editor/toolbar.tsx'
import { usePlaceOverReload } from '../editor/use-place-over-reload.ts'
import { createNotesStore } from '../notes/notes-state.ts'
import { usePanel } from '../panel/use-panel.ts'
import type { ShownHandIn } from '../receipt/hand-in-sheet.tsx'
import { useReview } from '../review/use-review.ts'
import { useReviewFocus } from '../review/use-review-focus.ts'
import { SaveLine } from '../saving/save-line.tsx'
import { useSaveKey } from '../saving/use-save-key.ts'
import { Scorecard } from '../scorecard/scorecard.tsx'
import { useHandedIn } from '../scorecard/use-handed-in.ts'
import { useScorecard } from '../scorecard/use-scorecard.ts'
import type { Copy } from '../use-article.ts'
import { useVersions } from '../versions/use-versions.ts'
import classes from './article-layout.module.css'
import { FootButton, FootPlace } from './foot-button.tsx'
import { Find, LayoutToolButtons, useLayoutTools } from './layout-tools.tsx'
import { UnderTitle } from './under-title.tsx'

const fetchPanels = () => import('../panel/panels.ts')
const fetchBanners = once(async () => (await import('../saving/banners.tsx')).Banners)

type ArticleLayoutProps = { view: ArticleView; text: OpenText; copy: Copy | null }

/** An open article: scorecard at the left; title, completion and the sheet to write on at the right. */
export function ArticleLayout({ view, text, copy }: ArticleLayoutProps) {
  const { user } = useSignedIn()
  const readOnly = view.completed
  const notSent = useCompletionNotSent(view, view.warning !== null)
  const editor = useArticleEditor(text, readOnly)
  const { store, marking, counted } = useScorecard(editor, view.keywordList)
  const handedIn = useHandedIn(view, store)
  const wordMinimum = handedIn?.wordMinimum ?? view.wordMinimum
  const side = usePanel()
  const [notes] = useState(createNotesStore)
  const { panel } = side
  const panels = useOnDemand(fetchPanels, panel !== null)
  const review = useReview(editor, view.id, side, panels)
  const { opener, goBack, goToText } = useReviewFocus(editor)
  const { scroller, landFocus } = useFocusInReadOnlyText(readOnly)
  usePlaceOverReload(view.id, editor, scroller)
  const title = useFocusOnTitle()
  const versions = useVersions({ view, editor, text, panels, ...side })
  const { selected } = versions
  const [handIn, showHandIn] = useState<ShownHandIn | null>(null)
  const isCovered = selected !== null || handIn !== null
  const compareWith = (other: HandIn) => {
    side.setPanel('receipt')
    showHandIn({ handIn: other, compares: true })
  }
  const tools = useLayoutTools(isCovered)
  useSaveKey(view.id, text)
  const otherPanel =
    panels && versions.isOpen ? (
      <panels.VersionsPanel page={versions} keywordList={view.keywordList} />
    ) : panels && review?.isOpen ? (
      <panels.ReviewPanel {...{ review, readOnly }} onLeft={goBack} onKept={goToText} />
    ) : panels && (panel === 'receipt' || panel === 'check') ? (
      <panels.ReceiptPanels {...{ view, showHandIn }} {...side} />
    ) : panels && panel === 'brief' ? (
      <panels.BriefPanel view={view} {...side} />
    ) : panels && panel === 'notes' ? (
      <panels.NotesPanel
        {...{ view, editor, versions }}
        store={notes}
        hadCursor={marking.hadCursor}
        {...side}
      />
    ) : null
  return (
    <>
      <ScreenAside>
        {otherPanel ?? (
          <Scorecard
            store={store}
            wordMinimum={wordMinimum}
            completed={view.completed && !notSent}
            marking={marking}
            counted={counted}
            readOnly={readOnly}
            handedIn={handedIn}
          />
        )}
      </ScreenAside>
      <div className={classes.column}>
        <Banners {...{ view, copy, notSent }} read={() => shownDocument(editor.state.doc)} />
        {panels && <panels.AgencyNotices {...{ view, editor, store, compareWith }} />}
        {panels && review && (
          <panels.MergeNotice
            review={review}
            opener={opener}
            onClosed={goToText}
            openVersions={versions.isOpen ? null : versions.open}
          />
        )}
        <div className={classes.head}>
          <div>
            <h1 ref={title} className={classes.title} dir="auto" tabIndex={-1}>
              {view.name}
            </h1>
            <UnderTitle view={view} notSent={notSent}>
              {panels && <panels.WhoIsHere articleId={view.id} editor={editor} />}
            </UnderTitle>
          </div>
          <Completion
            {...{ view, notSent, editor, counted, notes }}
            showNotes={() => side.setPanel('notes')}
            readScore={store.read}
            onClosed={landFocus}
          />
        </div>
        {panels && <panels.ReopenReason {...{ view, notes }} />}
        {panels && !isCovered && (
          <panels.PrintHead {...{ view, editor, store }} minimum={wordMinimum} />
        )}
        <div className={classes.sheet} data-read-only={readOnly}>
          <div className={classes.page}>
            <div className={classes.present} inert={isCovered}>
              <Toolbar editor={editor} readOnly={readOnly} />
              <Find {...{ tools, editor, readOnly }} />
              <ArticleText editor={editor} readOnly={readOnly} scroller={scroller} />
              {panels && <panels.LinkTools {...{ editor, readOnly }} />}
              {panels && <panels.SmartTyping editor={editor} />}
              {panels && <panels.ReadNotes articleId={view.id} store={notes} />}
              {panels && <panels.PrintedNotes store={notes} />}
              {panels && !isCovered && (
                <panels.NotesInText {...{ view, editor, scroller }} store={notes} {...side} />
              )}
            </div>
            {panels && selected && (
              <panels.VersionSheet page={versions} version={selected} {...{ editor, readOnly }} />
            )}
            {panels && handIn && (
              <panels.HandInSheet shown={handIn} articleId={view.id} {...{ editor, showHandIn }} />
            )}
          </div>
          <footer className={classes.foot}>
            <span className={classes.state}>
              <SaveLine view={view} notSent={notSent} />
              {panels && otherPanel && (
                <panels.FootCount words={store.words} minimum={wordMinimum} />
              )}
            </span>
            <span className={classes.past}>
              <LayoutToolButtons {...{ tools, editor }} />
              {panels ? (
                <panels.BriefButton view={view} {...side} />
              ) : (
                (view.wasPlanned || isAdmin(user)) && <FootPlace name="Brief" />
              )}
              {panels && <panels.NotesButton store={notes} {...side} />}
              <FootButton
                name="Versions"
                icon={History}
                isOpen={versions.isOpen}
                onClick={versions.isOpen ? versions.close : versions.open}
              />
              {panels ? (
                <panels.ReceiptButton view={view} {...side} />
              ) : (
                view.wasHandedIn && <FootPlace name="Receipt" />
              )}
              {panels ? (
                <panels.ExportButton {...{ view, editor, versions, notes }} shownHandIn={handIn} />
              ) : (
                <FootPlace name="Export" />
              )}
            </span>
          </footer>
        </div>
      </div>
    </>
  )
}

type BannersProps = Parameters<Awaited<ReturnType<typeof fetchBanners>>>[0]

/** Most pages never show one. */
function Banners(props: BannersProps) {
  const { view, copy, notSent } = props
  const lost = useStore(useApp().workspace.store, (state) => state.lostArticles)
  const isNeeded = Boolean(view.warning || view.blocked || copy || notSent || lost > 0)
  return <OnDemand fetch={fetchBanners} wanted={isNeeded && 'quietly'} props={props} />
}

/**
 * An article opens in a tab of its own: screen readers begin with its title, and Tab with what can be done below it. The
 * text does not take the focus, so that no key changes it by mistake. What has the focus already keeps it: a menu, or the
 * caret that came back after a reload.
 */
function useFocusOnTitle() {
  const title = useRef<HTMLHeadingElement>(null)
  const isLoading = useNotices((state) => state.loading)
  useLayoutEffect(() => {
    // A page that is loading is hidden and takes no focus.
    if (isLoading || document.activeElement !== document.body) return
    title.current?.focus({ preventScroll: true })
  }, [isLoading])
  return title
}

/** Completing removes the pressed button, so the focus moves to the text instead of being lost. */
function useFocusInReadOnlyText(readOnly: boolean) {
  const scroller = useRef<HTMLDivElement>(null)
  const before = useRef(readOnly)
  const landFocus = useCallback(() => {
    const lost = document.activeElement === null || document.activeElement === document.body
    if (lost && scroller.current?.tabIndex === 0) scroller.current.focus()
  }, [])
  useEffect(() => {
    if (readOnly && !before.current) landFocus()
    before.current = readOnly
  }, [readOnly, landFocus])
  return { scroller, landFocus }
}
